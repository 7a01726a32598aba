/** The number of pieces that wait before they are joined. */
const most = 1024;

/**
 * Text that arrives in pieces, put together in linear time however small they are.
 *
 * Appending to a string would be as fast, but keeps a node for each piece: many
 * times the memory of the text where a piece is one character.
 */
export class TextPieces {
  #joined: string[] = [];
  #recent: string[] = [];
  #length = 0;

  /** In UTF-16 code units. */
  get length(): number {
    return this.#length;
  }

  add(piece: string): void {
    if (piece === "") return;
    this.#length += piece.length;
    this.#recent.push(piece);
    if (this.#recent.length < most) return;
    this.#joined.push(this.#recent.join(""));
    this.#recent = [];
  }

  /** Give the whole text, and begin anew. */
  flush(): string {
    const text = this.text();
    this.#joined = [];
    this.#recent = [];
    this.#length = 0;
    return text;
  }

  text(): string {
    if (this.#joined.length > 0) return this.#joined.concat(this.#recent).join("");
    return this.#recent.length === 1 ? (this.#recent[0] ?? "") : this.#recent.join("");
  }
}
