import { unprintable } from "../terminal/terminal.js";

/** Characters that a reader of YAML, a terminal or an editor would obey, or would not show. */
const unsafe = new RegExp(`[\\p{Co}\\p{Cn}]|${unprintable.source}`, "gu");

/** A text as a YAML scalar in double quotes, on one line, whatever is in it. */
export function quotedYaml(text: string): string {
  const escaped = text.replace(/["\\]/g, "\\$&").replace(unsafe, (character) => {
    const code = (character.codePointAt(0) as number).toString(16);
    return code.length > 4 ? `\\U${code.padStart(8, "0")}` : `\\u${code.padStart(4, "0")}`;
  });
  return `"${escaped}"`;
}

/** Characters of a comment's line. */
const longestComment = 100;

/** Words from outside as the text of a comment: on one line, and of bounded length. */
export function commentText(words: string): string {
  // Longer texts are not read to their end: a description may be megabytes.
  const line = words
    .slice(0, 4 * longestComment)
    .replace(unsafe, " ")
    .replace(/\s+/g, " ")
    .trim();
  const characters = Array.from(line);
  if (characters.length <= longestComment) return line;
  return `${characters.slice(0, longestComment).join("").trimEnd()}…`;
}
