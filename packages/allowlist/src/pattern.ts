/** A pattern longer than this is a mistake, and what a longer name matches is not looked at in full. */
export const longest = 256;

/** How many code units of a name, from an index on, one wildcard stands for; 0 where it may not. */
type Wildcard = (name: string, index: number) => number;

/** Whether a name matches a pattern, for those who ask what is allowed, or what is denied. */
export type Match = (pattern: string, name: string) => boolean;

/**
 * Whether a pattern allows a name, from its first character to its last.
 *
 * `*` stands for any run of characters, `?` for one. Both stand for printable
 * ASCII only, so that no look-alike or invisible character comes in under a
 * pattern, and no name of more than 256 characters does.
 */
export const allows: Match = (pattern, name) =>
  name.length <= longest && matches(pattern, name, printable);

/**
 * Whether a pattern denies a name: the wildcards stand for every character
 * that there is.
 *
 * Of a name of more than 256 characters only what comes before the first `*`
 * is compared: in doubt it is denied.
 */
export const denies: Match = (pattern, name) =>
  matches(name.length <= longest ? pattern : throughFirstStar(pattern), name, any);

/**
 * No regular expression: the cost is at most the product of both lengths, and
 * where nothing follows the only star, their sum.
 */
function matches(pattern: string, name: string, wildcard: Wildcard): boolean {
  let inPattern = 0;
  let inName = 0;
  let afterStar = -1;
  let starReaches = 0;
  while (inName < name.length) {
    const wanted = pattern[inPattern];
    if (wanted === "*") {
      afterStar = ++inPattern;
      starReaches = inName;
      continue;
    }
    const literal = wanted === name[inName];
    const taken = literal ? 1 : wanted === "?" ? wildcard(name, inName) : 0;
    if (taken > 0) {
      inPattern++;
      inName += taken;
      continue;
    }
    const more = afterStar === -1 ? 0 : wildcard(name, starReaches);
    if (more === 0) return false;
    inPattern = afterStar;
    starReaches += more;
    inName = starReaches;
  }
  while (pattern[inPattern] === "*") inPattern++;
  return inPattern === pattern.length;
}

/** Printable ASCII, and no space. */
function printable(name: string, index: number): number {
  const code = name.charCodeAt(index);
  return code > 0x20 && code < 0x7f ? 1 : 0;
}

/** Any one character, of one code unit or two. */
function any(name: string, index: number): number {
  return (name.codePointAt(index) as number) > 0xffff ? 2 : 1;
}

function throughFirstStar(pattern: string): string {
  const star = pattern.indexOf("*");
  return star === -1 ? pattern : pattern.slice(0, star + 1);
}
