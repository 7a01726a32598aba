/** Longer names get no hint. */
const longest = 256;

/**
 * Letters of other scripts, and digits, by the Latin letter that they pass
 * for. Our own choice of those that occur in identifiers; Unicode's list of
 * confusables (UTS #39) has thousands.
 */
export const passFor: ReadonlyMap<string, string> = new Map(
  Object.entries({
    a: "аαɑ",
    b: "вьβ8",
    c: "сς",
    d: "ԁ",
    e: "еεҽ",
    f: "ƒ",
    g: "ɡԍ",
    h: "һн",
    j: "јϳ",
    k: "кκ",
    l: "i1|ıіιӏɩ!",
    m: "мμ",
    n: "ոη",
    o: "0оοօσ",
    p: "рρ",
    q: "ԛ",
    r: "гʀ",
    s: "5ѕꜱ",
    t: "тτ",
    u: "υսʋ",
    v: "ѵν",
    w: "ԝω",
    x: "хχ",
    y: "уγү",
    z: "2ζᴢ",
    "-": "‐‑‒–—−﹘",
    _: "‿",
    ".": "․。",
  }).flatMap(([latin, others]) => [...others].map((other) => [other, latin] as const)),
);

const unseen = /[\p{White_Space}\p{Default_Ignorable_Code_Point}\p{Cc}\p{Cf}\p{Mn}]/gu;

/** The name as a reader sees it: two names with one skeleton look alike. */
export function skeleton(name: string): string {
  let read = "";
  for (const character of compatible(name).replace(unseen, "").toLowerCase()) {
    read += passFor.get(character) ?? character;
  }
  return read.replaceAll("rn", "m").replaceAll("vv", "w");
}

/** The difference between two names of one skeleton, in words. */
export function difference(name: string, other: string): string {
  if (name.toLowerCase() === other.toLowerCase()) return "case";
  if (name.replace(unseen, "") === other.replace(unseen, "")) {
    return "white space or invisible characters";
  }
  return "characters that look alike";
}

/** The names of a list by what they are read as. */
export class LookAlikes {
  readonly #bySkeleton = new Map<string, string[]>();

  constructor(names: Iterable<string>) {
    for (const name of names) {
      if (name.length > longest) continue;
      const key = skeleton(name);
      const alike = this.#bySkeleton.get(key);
      if (alike === undefined) this.#bySkeleton.set(key, [name]);
      else alike.push(name);
    }
  }

  /** Names that a reader could take this one for, but not the name itself. */
  of(name: string): readonly string[] {
    if (name.length > longest) return [];
    const alike = this.#bySkeleton.get(skeleton(name)) ?? [];
    return alike.filter((other) => other !== name);
  }
}

/** Fullwidth, mathematical and other letters as plain ones. The dotted I loses its dot, the long s its length. */
function compatible(name: string): string {
  return name.normalize("NFKC").normalize("NFKD");
}
