/**
 * Reads a literal as Python prints it: AgentDojo's data holds the print of a dict where the tool of a host
 * would return the dict.
 *
 * @param {string} text
 * @returns {unknown} undefined for any other text
 */
export function pythonLiteral(text) {
  let at = 0;
  const skip = () => {
    while (/\s/.test(text.charAt(at))) at += 1;
  };
  /** @returns {unknown} */
  const value = () => {
    skip();
    const first = text.charAt(at);
    if (first === "{" || first === "[") return several(first === "{");
    if (first === "'" || first === '"') return string(first);
    const word = /^(?:-?\d+(?:\.\d+)?(?:e[+-]?\d+)?|True|False|None)/.exec(text.slice(at))?.[0];
    if (word === undefined) throw new SyntaxError("no literal");
    at += word.length;
    if (word === "None") return null;
    return word === "True" || word === "False" ? word === "True" : Number(word);
  };
  /** @param {boolean} isDict */
  const several = (isDict) => {
    const close = isDict ? "}" : "]";
    /** @type {[string, unknown][]} */
    const entries = [];
    at += 1;
    for (;;) {
      skip();
      if (text.charAt(at) === close) break;
      const first = value();
      skip();
      if (isDict) {
        if (text.charAt(at) !== ":") throw new SyntaxError("no colon");
        at += 1;
        entries.push([String(first), value()]);
      } else {
        entries.push([String(entries.length), first]);
      }
      skip();
      if (text.charAt(at) === ",") at += 1;
    }
    at += 1;
    return isDict ? Object.fromEntries(entries) : entries.map(([, each]) => each);
  };
  /** @param {string} quote */
  const string = (quote) => {
    let read = "";
    for (at += 1; text.charAt(at) !== quote; at += 1) {
      if (at >= text.length) throw new SyntaxError("no end");
      if (text.charAt(at) !== "\\") {
        read += text.charAt(at);
        continue;
      }
      at += 1;
      const escaped = text.charAt(at);
      const width = { x: 2, u: 4 }[escaped];
      if (width === undefined) {
        read += { n: "\n", t: "\t", r: "\r" }[escaped] ?? escaped;
      } else {
        read += String.fromCharCode(Number.parseInt(text.slice(at + 1, at + 1 + width), 16));
        at += width;
      }
    }
    at += 1;
    return read;
  };
  try {
    if (!/^[{[]/.test(text)) return undefined;
    const read = value();
    skip();
    return at === text.length ? read : undefined;
  } catch {
    return undefined;
  }
}
