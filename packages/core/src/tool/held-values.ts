/** Arguments with more text are not compared: what is said of them is then left out. */
const mostText = 65_536;

/** Values that are shorter, in letters and digits, are looked for as whole words: any text has their letters. */
const shortest = 4;

/** Words of a value that are as long are looked for alone: a text may quote a part of it. */
const longWord = 8;

/**
 * True unless it is certain that no value of some arguments is in a text, whatever its
 * case, its quotes and its escapes.
 *
 * @param declared - the names that the schema has for members. Any other key is the model's own word, as a value is.
 */
export function holdsValueOf(text: string, args: unknown, declared: ReadonlySet<string>): boolean {
  const words = new Set(wordsOf(text));
  const letters = lettersOf(text);
  let left = mostText;
  const isIn = (value: string): boolean => {
    left -= value.length + 1;
    if (left < 0) return true;
    const said = lettersOf(value);
    if (said.length < shortest) return words.has(said);
    const long = wordsOf(value).filter((word) => word.length >= longWord);
    return [said, ...long].some((each) => letters.includes(each));
  };
  const open: unknown[] = [args];
  while (open.length > 0) {
    const each = open.pop();
    if (typeof each === "object" && each !== null) {
      const isList = Array.isArray(each);
      for (const [key, value] of Object.entries(each)) {
        if (!isList && !declared.has(key) && isIn(key)) return true;
        open.push(value);
      }
    } else if ((typeof each === "string" || typeof each === "number") && isIn(String(each))) {
      return true;
    }
  }
  return false;
}

function wordsOf(text: string): readonly string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
}

function lettersOf(text: string): string {
  return wordsOf(text).join("");
}
