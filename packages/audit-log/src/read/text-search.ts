const backslash = 0x5c;

/**
 * Looks for lines of JSON that may have a text: returns a place in or before the first of them.
 *
 * Lines from `start` on that end before that place surely have no such text. Without any, it is the end of the buffer.
 */
export type TextSearch = (bytes: Buffer, start: number) => number;

/** Makes a search for lines with a member, or an item of a list, that is this text. */
export function textSearch(text: string): TextSearch {
  // Most bytes that JSON has are quotes. To begin with one makes the search take twice as long.
  const spelt = new NextPlace(Buffer.from(JSON.stringify(text)).subarray(1));
  // What is escaped may be spelt in many ways.
  const escaped = new NextPlace(backslash);
  return (bytes, start) => Math.min(spelt.from(bytes, start), escaped.from(bytes, start));
}

/** Finds some bytes again and again in one buffer, and looks at each place once. */
class NextPlace {
  readonly #wanted: Buffer | number;
  #bytes: Buffer | undefined;
  /** Where the last search began, and what it found: nothing stands between the two. */
  #start = 0;
  #at = 0;

  constructor(wanted: Buffer | number) {
    this.#wanted = wanted;
  }

  /** The first place from there on; the end of the buffer, if there is none. */
  from(bytes: Buffer, start: number): number {
    if (bytes !== this.#bytes || start < this.#start || start > this.#at) {
      this.#bytes = bytes;
      this.#start = start;
      const at = bytes.indexOf(this.#wanted, start);
      this.#at = at === -1 ? bytes.length : at;
    }
    return this.#at;
  }
}
