import type { Finding } from "../scan/findings.js";

/** A name, a string or a number in the text of a JSON value. */
export interface Leaf {
  readonly text: string;
  /** The findings in it by itself. */
  readonly found: readonly Finding[];
  /** It stands there, in its form in JSON without quotes. */
  readonly start: number;
  readonly written: string;
}

/** The JSON text of a value, as it is written leaf by leaf. */
export class JsonText {
  readonly leaves: Leaf[] = [];
  readonly #parts: string[] = [];
  #length = 0;

  get value(): string {
    return this.#parts.join("");
  }

  /** Anything but a leaf that is looked into. */
  write(part: string): void {
    this.#parts.push(part);
    this.#length += part.length;
  }

  string(text: string, found: readonly Finding[]): void {
    const written = JSON.stringify(text);
    this.leaves.push({ text, found, start: this.#length + 1, written: written.slice(1, -1) });
    this.write(written);
  }

  number(text: string, found: readonly Finding[]): void {
    this.leaves.push({ text, found, start: this.#length, written: text });
    this.write(text);
  }
}

/**
 * Shares out the findings in the JSON text of a value, which are asked for leaf by leaf: of one that goes over several
 * leaves each has its part.
 */
export class Shares {
  readonly #found: readonly Finding[];
  #next = 0;

  /** @param found - disjoint and in order. */
  constructor(found: readonly Finding[]) {
    this.#found = found;
  }

  /** The findings in the next leaf, as places in its own text. */
  of({ text, start, written }: Leaf): readonly Finding[] {
    const shares: Finding[] = [];
    const last = start + written.length;
    const isEscaped = text.length < written.length;
    for (let finding = this.#found[this.#next]; finding !== undefined; ) {
      const { kind } = finding;
      const from = Math.max(0, finding.start - start);
      const to = Math.min(last, finding.end) - start;
      if (finding.start >= last) break;
      if (to > from)
        shares.push(
          isEscaped
            ? { start: unitsIn(written, from + 1) - 1, end: unitsIn(written, to), kind }
            : { start: from, end: to, kind },
        );
      if (finding.end > last) break;
      this.#next += 1;
      finding = this.#found[this.#next];
    }
    return shares;
  }
}

/** The number of units that begin before a place in a string of JSON. */
function unitsIn(written: string, to: number): number {
  let units = 0;
  for (let at = 0; at < to; units++)
    at += written[at] !== "\\" ? 1 : written[at + 1] === "u" ? 6 : 2;
  return units;
}

/** Keeps names of one object apart: two with one mark would be one member. */
export function distinctNames(): (name: string) => string {
  const taken = new Set<string>();
  return (name) => {
    let own = name;
    for (let again = 2; taken.has(own); again++)
      own = `${own.replace(/(?: #\d+)?\]$/, "")} #${again}]`;
    taken.add(own);
    return own;
  };
}
