const leastIban = 15;
const mostIban = 34;

/** Yields each run of groups in a text that may be an IBAN, and the IBAN with which it begins, if it does. */
export function* ibansIn(text: string): Iterable<string | undefined> {
  for (const [match] of text.matchAll(/\b[A-Z]{2}\d{2}[A-Z0-9 -]{11,45}/gi)) {
    let value = "";
    let found: string | undefined;
    // It ends where a group ends.
    for (const group of match.split(/[ -]/)) {
      value += group.toUpperCase();
      if (value.length > mostIban) break;
      if (value.length >= leastIban && hasRightSum(value)) found = value;
    }
    yield found;
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
