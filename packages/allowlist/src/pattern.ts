/** A pattern longer than this is a mistake, and a name longer than this matches none. */
export const longest = 256;

/**
 * Whether a name matches a pattern from its first character to its last.
 *
 * `*` stands for any run of characters, `?` for one. Both stand for printable
 * ASCII only, so that no look-alike or invisible character comes in under a
 * pattern. No regular expression: the cost is at most the product of both
 * lengths.
 */
export function matches(pattern: string, name: string): boolean {
  if (name.length > longest) return false;
  let inPattern = 0;
  let inName = 0;
  let afterStar = -1;
  let starReaches = 0;
  while (inName < name.length) {
    const wanted = pattern[inPattern];
    if (wanted === "*") {
      afterStar = ++inPattern;
      starReaches = inName;
    } else if (wanted === name[inName] || (wanted === "?" && isPlain(name, inName))) {
      inPattern++;
      inName++;
    } else if (afterStar !== -1 && isPlain(name, starReaches)) {
      inPattern = afterStar;
      inName = ++starReaches;
    } else {
      return false;
    }
  }
  while (pattern[inPattern] === "*") inPattern++;
  return inPattern === pattern.length;
}

/** Printable ASCII, and no space. */
function isPlain(name: string, index: number): boolean {
  const code = name.charCodeAt(index);
  return code > 0x20 && code < 0x7f;
}
