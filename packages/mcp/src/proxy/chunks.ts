/** The most chunks that are held one by one: a buffer costs some hundred bytes, also for one byte. */
const mostApart = 1_024;

/** Collects chunks of bytes, of any size, and joins them in the end. */
export class Chunks {
  #whole: Buffer[] = [];
  #apart: Buffer[] = [];
  length = 0;

  add(chunk: Buffer): void {
    this.length += chunk.length;
    if (this.#apart.push(chunk) < mostApart) return;
    this.#whole.push(Buffer.concat(this.#apart));
    this.#apart = [];
  }

  /** Returns all bytes, and forgets them. A single chunk is not copied. */
  take(): Buffer {
    const [first] = this.#apart;
    const isSingle = first !== undefined && first.length === this.length;
    const all = isSingle ? first : Buffer.concat([...this.#whole, ...this.#apart]);
    this.#whole = [];
    this.#apart = [];
    this.length = 0;
    return all;
  }
}
