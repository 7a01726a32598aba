/**
 * All but printable ASCII and the letters of Latin-1, which are shown as they are and
 * look like no others. The rest is escaped: what cannot be seen, what turns
 * text round, and letters of other scripts that look like these.
 */
const escapedCharacters = /[^\x20-\x7eÀ-ÖØ-öø-ÿ]|["\\]/gu;

const short: ReadonlyMap<string, string> = new Map([
  ['"', '\\"'],
  ["\\", "\\\\"],
  ["\n", "\\n"],
  ["\r", "\\r"],
  ["\t", "\\t"],
]);

/** Text in double quotes, on one line. Two texts that differ never look alike. */
export function inQuotes(text: string): string {
  const escaped = text.replace(
    escapedCharacters,
    (character) =>
      short.get(character) ?? `\\u{${(character.codePointAt(0) as number).toString(16)}}`,
  );
  return `"${escaped}"`;
}
