/** So many zeros stand behind a text: whoever looks a little ahead needs no question. */
const margin = 64;
let texts = 0;
/** Up to so many units the room of a long text is kept for the next one. */
const mostKept = 262_144;

/**
 * A text that is read, unit by unit.
 *
 * An array of units is read three times as fast as a string. Patterns need the string, which is made when one asks.
 */
export class Source {
  /** UTF-16 units; behind `length`, 64 zeros. What stands behind these is of an earlier text. */
  units = new Uint16Array(2_048);
  length = 0;
  /** The place of the last `[` that the pass has come by; -1 before the first. */
  lastBracket = -1;
  /** The place of each unit, and of the end, in the text of which this is another form; undefined for the text itself. */
  starts: Uint32Array | undefined;
  /** No other text that was read has this number. */
  id = 0;
  #text: string | undefined;

  /** The same as a string. */
  get text(): string {
    this.#text ??= Buffer.from(this.units.buffer, 0, 2 * this.length).toString("utf16le");
    return this.#text;
  }

  /** The units between two places, in the text of which this may be another form. */
  extent(from: number, to: number): number {
    const { starts } = this;
    return starts === undefined ? to - from : (starts[to] as number) - (starts[from] as number);
  }

  /** Reads a text from its start. */
  fill(text: string): void {
    const { length } = text;
    const units = this.room(length);
    if (length < 48) for (let at = 0; at < length; at++) units[at] = text.charCodeAt(at);
    else Buffer.from(units.buffer).write(text, "utf16le");
    this.close(length);
    this.#text = text;
  }

  /** An array for a text of so many units at most. `close` ends it. */
  room(length: number): Uint16Array {
    const { length: size } = this.units;
    if (size < length + margin || (size > mostKept && length + margin <= mostKept))
      this.units = new Uint16Array(Math.max(2_048, length + margin));
    return this.units;
  }

  /** To be called when the units of a text are written. */
  close(length: number): void {
    this.units.fill(0, length, length + margin);
    this.length = length;
    this.starts = undefined;
    this.lastBracket = -1;
    texts += 1;
    this.id = texts;
    this.#text = undefined;
  }
}
