import type { Position } from "./path.js";

/** Finds the line and column of a place in a text. The text is looked through once, as far as it is asked for. */
export class Lines {
  readonly #text: string;
  readonly #starts = [0];
  /** The first line feed behind the starts that are known. */
  #feed: number;

  constructor(text: string) {
    this.#text = text;
    this.#feed = this.#feedFrom(0);
  }

  at(offset: number): Position {
    while (this.#feed < offset) {
      this.#starts.push(this.#feed + 1);
      this.#feed = this.#feedFrom(this.#feed + 1);
    }
    let low = 0;
    for (let high = this.#starts.length; high - low > 1; ) {
      const middle = (low + high) >> 1;
      if ((this.#starts[middle] as number) <= offset) low = middle;
      else high = middle;
    }
    return { line: low + 1, column: offset - (this.#starts[low] as number) + 1 };
  }

  #feedFrom(offset: number): number {
    const feed = this.#text.indexOf("\n", offset);
    return feed < 0 ? Number.POSITIVE_INFINITY : feed;
  }
}
