/**
 * Finds members that a reader which ignores case could take for one of these, or that some assign to `__proto__`.
 *
 * What was judged is read by exact names; such a reader would find something else.
 */
export function variantsOf(members: readonly string[]): (object: object) => boolean {
  const exact = new Set(members);
  const known = new Set(["__proto__", ...members.map(folded)]);
  return (object) => Object.keys(object).some((key) => !exact.has(key) && known.has(folded(key)));
}

/**
 * A name as the most lenient readers take it.
 *
 * Go, among others, matches names with Unicode's simple case folding; readers
 * in C end a text at its first NUL.
 */
export function folded(name: string): string {
  const [text = ""] = name.split("\0", 1);
  return text
    .normalize("NFKC")
    .toUpperCase()
    .toLowerCase()
    .replace(/[\p{C}\p{Z}]+/gu, "");
}
