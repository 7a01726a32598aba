const leastIban = 15;
const mostIban = 34;
/** Two letters and two digits, also behind what only looks like the beginning of one. */
const beginning = /[A-Z]{2}\d{2}(?<=(?:^|[^A-Z0-9]|iban).{4})/gis;
/** Up to three signs between two groups, and so many groups that no IBAN has more signs. */
const groups = /[A-Z0-9]+(?:[\s\p{Pd}\p{Cf}._/]{1,3}[A-Z0-9]+){0,34}/iuy;
/** So much of a text is looked at. */
const window = 4 * mostIban;

/** Yields each run of groups in a text that may be an IBAN, and the IBAN with which it begins, if it does. */
export function* ibansIn(text: string): Iterable<string | undefined> {
  for (const { index } of text.matchAll(beginning)) {
    const near = text.slice(index, index + window);
    groups.lastIndex = 0;
    const run = groups.exec(near)?.[0] ?? "";
    let value = "";
    let found: string | undefined;
    // It ends where a group ends.
    for (const group of run.split(/[^A-Z0-9]+/i)) {
      value += group.toUpperCase();
      if (value.length > mostIban) break;
      if (value.length >= leastIban && hasRightSum(value)) found = value;
    }
    if (value.length >= leastIban) yield found;
  }
}
/** The check of ISO 13616: the number that letters and digits make has the remainder 1. */
function hasRightSum(iban: string): boolean {
  let sum = 0;
  for (const character of iban.slice(4) + iban.slice(0, 4)) {
    const value = Number.parseInt(character, 36);
    sum = (sum * (value > 9 ? 100 : 10) + value) % 97;
  }
  return sum === 1;
}
