type Token =
  | { readonly any: true }
  | { readonly any: false; readonly fits: (c: string) => boolean };

/**
 * True if a file's name fits a shell pattern: `*`, `?`, `[a-z]`, `[!a-z]`.
 *
 * The whole name must fit, with its case. Linear in name times pattern.
 */
export function fitsPattern(name: string, pattern: string): boolean {
  const tokens = tokensOf(pattern);
  const characters = [...name];
  let token = 0;
  let at = 0;
  let star = -1;
  let retry = 0;
  while (at < characters.length) {
    const current = tokens[token];
    if (current?.any === true) {
      star = token++;
      retry = at;
    } else if (current?.any === false && current.fits(characters[at] as string)) {
      token++;
      at++;
    } else if (star >= 0) {
      token = star + 1;
      at = ++retry;
    } else return false;
  }
  while (tokens[token]?.any === true) token++;
  return token === tokens.length;
}

function tokensOf(pattern: string): readonly Token[] {
  const characters = [...pattern];
  const tokens: Token[] = [];
  for (let at = 0; at < characters.length; at++) {
    const character = characters[at] as string;
    // A `]` that comes first belongs to the set.
    const first = characters[at + 1] === "!" ? at + 2 : at + 1;
    const end = character === "[" ? characters.indexOf("]", first + 1) : -1;
    if (character === "*") tokens.push({ any: true });
    else if (character === "?") tokens.push({ any: false, fits: () => true });
    else if (end < 0) tokens.push({ any: false, fits: (c) => c === character });
    else {
      const set = characters.slice(first, end);
      const negated = first === at + 2;
      tokens.push({ any: false, fits: (c) => inSet(c, set) !== negated });
      at = end;
    }
  }
  return tokens;
}

function inSet(character: string, set: readonly string[]): boolean {
  for (let at = 0; at < set.length; at++) {
    const low = set[at] as string;
    const high = set[at + 1] === "-" ? set[at + 2] : undefined;
    if (high === undefined) {
      if (character === low) return true;
    } else {
      if (character >= low && character <= high) return true;
      at += 2;
    }
  }
  return false;
}
