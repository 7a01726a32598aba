/** Finds some bytes again and again in one buffer, and looks at each place once. */
class NextPlace {
  readonly #wanted: Buffer | number;
  #bytes: Buffer | undefined;
  /** The next place, as far as is known: nothing stands between there and the line before. */
  #at = 0;

  constructor(wanted: Buffer | number) {
    this.#wanted = wanted;
  }

  /** Lines of a buffer must be asked about in their order. */
  isIn(bytes: Buffer, start: number, end: number): boolean {
    if (bytes !== this.#bytes || this.#at < start) {
      this.#bytes = bytes;
      const at = bytes.indexOf(this.#wanted, start);
      this.#at = at === -1 ? bytes.length : at;
    }
    return this.#at < end;
  }
}

const backslash = 0x5c;
/** The spaces that JSON may have between its tokens, apart from the newline. */
const spaces = [0x20, 0x09, 0x0d];

/** Looks at a line of JSON: returns false if it surely has no such member. */
export type MemberSearch = (bytes: Buffer, start: number, end: number) => boolean;

/**
 * Makes a search for a member whose value is this text.
 *
 * @param beginning How the member is spelt up to its value, or the last part of that.
 */
export function memberSearch(beginning: string, text: string): MemberSearch {
  const value = Buffer.from(JSON.stringify(text));
  const member = new NextPlace(Buffer.concat([Buffer.from(beginning), value]));
  const escaped = new NextPlace(backslash);
  const gaps = spaces.map((space) => new NextPlace(space));
  return (bytes, start, end) => {
    // What is escaped may be spelt in many ways.
    if (member.isIn(bytes, start, end) || escaped.isIn(bytes, start, end)) return true;
    // A space may stand in a text, or between the member and its value.
    if (!gaps.some((gap) => gap.isIn(bytes, start, end))) return false;
    return bytes.subarray(start, end).includes(value);
  };
}
