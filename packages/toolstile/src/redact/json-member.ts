/** The places of the values of one member in a text that is a JSON object; more than one where it is given again. */
export function memberPlaces(
  text: string,
  name: string,
): readonly { readonly start: number; readonly end: number }[] {
  const places: { start: number; end: number }[] = [];
  const colon = /\s*:\s*/y;
  let depth = 0;
  let start = -1;
  for (let at = 0; at < text.length; at++) {
    const sign = text[at];
    if (sign === '"') {
      const end = stringEnd(text, at);
      colon.lastIndex = end;
      if (depth === 1 && colon.test(text)) {
        if (JSON.parse(text.slice(at, end)) === name) start = colon.lastIndex;
        at = colon.lastIndex - 1;
      } else at = end - 1;
    } else if (sign === "{" || sign === "[") depth += 1;
    else if (sign === "}" || sign === "]" || sign === ",") {
      if (depth === 1 && start >= 0) {
        places.push({ start, end: start + text.slice(start, at).trimEnd().length });
        start = -1;
      }
      if (sign !== ",") depth -= 1;
    }
  }
  return places;
}

function stringEnd(text: string, start: number): number {
  let at = start + 1;
  while (text[at] !== '"') at += text[at] === "\\" ? 2 : 1;
  return at + 1;
}
