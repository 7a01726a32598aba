/**
 * Makes a test for members that a reader which ignores case could take for one of these, or for `__proto__`.
 *
 * Messages are judged by exact names. Such a reader would find something that was not judged.
 */
export function variantsOf(members: readonly string[]): (object: object) => boolean {
  const exact = new Set(members);
  const known = new Set(["__proto__", ...members.map(folded)]);
  return (object) => Object.keys(object).some((key) => !exact.has(key) && known.has(folded(key)));
}

/**
 * A name as the most lenient readers read it.
 *
 * Go, among others, matches names with Unicode's simple case folding. Readers
 * in C end a string at its first NUL.
 */
export function folded(name: string): string {
  const [text = ""] = name.split("\0", 1);
  return text
    .normalize("NFKC")
    .toUpperCase()
    .toLowerCase()
    .replace(/[\p{C}\p{Z}]+/gu, "");
}
