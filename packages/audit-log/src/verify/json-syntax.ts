const character = "[ !#-\\[\\]-~]";
const string = `"${character}*(?:\\\\(?:["\\\\/bfnrt]|u[0-9a-f]{4})${character}*)*"`;
const number = "-?(?:0|[1-9][0-9]*)(?:\\.[0-9]+)?(?:[eE][+-]?[0-9]+)?";
const scalar = `${string}|${number}|true|false|null`;

/** The members of an object of at most so many levels, in printable ASCII without spaces. */
function membersPattern(levels: number): string {
  const value = valuePattern(levels - 1);
  return `${string}:${value}(?:,${string}:${value})*`;
}

function valuePattern(levels: number): string {
  if (levels === 0) return `(?:${scalar})`;
  const item = valuePattern(levels - 1);
  return `(?:${scalar}|\\{(?:${membersPattern(levels)})?\\}|\\[(?:${item}(?:,${item})*)?\\])`;
}

/** Each alternative begins with another character, so that a mismatch is found without going back. */
const recordPattern = new RegExp(`^${membersPattern(3)}$`);

/** Longer texts would take too much of the pattern's stack. */
const longestMatched = 1 << 14;

const unprintable = /[^ -~]/;

export const noJson = "the record is not valid JSON";

/**
 * Returns why a text in braces is not a record. A record is a JSON object in printable ASCII.
 *
 * `JSON.parse` has the last word. The pattern knows most records at a third of
 * its cost, since it makes no objects.
 */
export function faultOfMembers(text: string): string | undefined {
  if (text.length <= longestMatched && recordPattern.test(text)) return undefined;
  if (unprintable.test(text)) return "the record is not in printable ASCII";
  return isJson(`{${text}}`) ? undefined : noJson;
}

export function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
