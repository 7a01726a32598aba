const svgNamespace = "http://www.w3.org/2000/svg";

/** An element; what stands in it as text stays text. */
export function element(name, attributes = {}, ...content) {
  return filled(document.createElement(name), attributes, content);
}

/** An element of a drawing. */
export function drawn(name, attributes = {}, ...content) {
  return filled(document.createElementNS(svgNamespace, name), attributes, content);
}

function filled(made, attributes, content) {
  for (const [key, value] of Object.entries(attributes)) {
    if (value !== undefined && value !== false) made.setAttribute(key, value === true ? "" : value);
  }
  made.append(...content.filter((each) => each !== undefined));
  return made;
}

/** Characters that show nothing, or turn text around, as what they are: the same ones as on a terminal, since `unprintable` is put before this script. */
export function visible(value) {
  const text = typeof value === "string" ? value : value === undefined ? "" : String(value);
  return text.replace(unprintable, (character) =>
    character === "\n" ? "\u23ce" : `\\u{${character.codePointAt(0).toString(16)}}`,
  );
}

/** Not more of a text than a list has room for. */
export function shortened(value, longest) {
  const text = visible(value);
  return text.length > longest ? `${text.slice(0, longest - 1)}…` : text;
}

export function byId(id) {
  return document.getElementById(id);
}

const thousands = new Intl.NumberFormat("en-US");

export function counted(value, one, many = `${one}s`) {
  return one === undefined
    ? thousands.format(value)
    : `${thousands.format(value)} ${value === 1 ? one : many}`;
}

/** A moment in UTC: its day and its time, or nothing. */
export function momentText(time) {
  if (typeof time !== "number" || !(Math.abs(time) <= 8.64e15)) return "";
  return new Date(time).toISOString().replace("T", " ").replace("Z", "");
}

/** A name from the log, for classes: only what the style sheet knows. */
export function mark(group) {
  return element("span", { class: `mark ${group}`, "aria-hidden": "true" });
}
