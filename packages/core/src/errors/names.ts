/** The longest stretch of a name that a reason or an error repeats. */
const shown = 64;

/**
 * A tool or option name in quotes, fit for a reason.
 *
 * Anything but printable ASCII is escaped and a long name is cut, so that a
 * name cannot smuggle instructions, look-alikes or control characters.
 */
export function quoted(name: string): string {
  const cut = name.length > shown ? `${name.slice(0, shown)}…` : name;
  const escaped = cut.replace(/[^\x20-\x7e…]|['\\]/gu, (character) =>
    character === "'" || character === "\\"
      ? `\\${character}`
      : `\\u{${(character.codePointAt(0) as number).toString(16)}}`,
  );
  return `'${escaped}'`;
}

/** The candidate nearest to a name, if one is near enough to be what was meant. */
export function nearest(name: string, candidates: Iterable<string>): string | undefined {
  let best: string | undefined;
  let bestDistance = Math.max(2, Math.floor(name.length / 3)) + 1;
  for (const candidate of candidates) {
    if (Math.abs(candidate.length - name.length) >= bestDistance) continue;
    const distance = editDistance(name.toLowerCase(), candidate.toLowerCase());
    if (distance < bestDistance) [best, bestDistance] = [candidate, distance];
  }
  return best;
}

/** " Did you mean 'x'?", or nothing. */
export function didYouMean(name: string, candidates: Iterable<string>): string {
  const guess = nearest(name, candidates);
  return guess === undefined ? "" : ` Did you mean ${quoted(guess)}?`;
}

/**
 * Counts the slips between two names: letters added, left out or exchanged, and
 * neighbours swapped (optimal string alignment). Long names are cut: the count
 * only serves a hint.
 */
export function editDistance(left: string, right: string): number {
  const a = left.slice(0, shown);
  const b = right.slice(0, shown);
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1];
      let least = Math.min(
        (last[j] as number) + 1,
        (row[j - 1] as number) + 1,
        (last[j - 1] as number) + (same ? 0 : 1),
      );
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        least = Math.min(least, (beforeLast[j - 2] as number) + 1);
      }
      row.push(least);
    }
    beforeLast = last;
    last = row;
  }
  return last[b.length] as number;
}
