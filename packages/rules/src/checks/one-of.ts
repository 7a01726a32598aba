/** A pattern tries its texts one after the other, so that more are found faster in another way. */
const most = 8;

/** The source of a pattern that matches each of a few texts as it is; undefined for none, or for many. */
export function oneOf(texts: readonly string[]): string | undefined {
  if (texts.length === 0 || texts.length > most) return undefined;
  return `(?:${texts.map(escaped).join("|")})`;
}

function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
}
