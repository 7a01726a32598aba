/** So many pieces are kept apart; a buffer has a cost of its own, which for one byte is a hundred. */
const mostApart = 1_024;

/** Bytes that come in pieces, of any size, and are put together in the end. */
export class Pieces {
  #whole: Buffer[] = [];
  #apart: Buffer[] = [];
  length = 0;

  add(piece: Buffer): void {
    this.length += piece.length;
    if (this.#apart.push(piece) < mostApart) return;
    this.#whole.push(Buffer.concat(this.#apart));
    this.#apart = [];
  }

  /** All of them, after which there are none. A single piece is not copied. */
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
