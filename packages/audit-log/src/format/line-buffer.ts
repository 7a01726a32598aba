import { hash } from "node:crypto";
import type { ChainHead } from "./chain-head.js";
import { opening, seal } from "./line.js";

/** Above this a buffer is given back once its lines are written. */
const keptBytes = 1 << 20;
const firstBytes = 1 << 16;

/** Lines on their way to a sink, each hashed from the very bytes that are written. */
export class LineBuffer {
  #bytes = Buffer.allocUnsafe(firstBytes);
  #length = 0;
  /** The seal of the last line, which is written together with the line after it. */
  #tail = "";

  /** Adds the line after `head`, and says what the head is then. The fields are JSON members in ASCII. */
  add(head: ChainHead, fields: string): ChainHead {
    const start = this.#length + this.#tail.length;
    this.#write(this.#tail + opening(head) + fields);
    const { buffer, byteOffset } = this.#bytes;
    // Made at half the cost of subarray().
    const digest = hash("sha256", new Uint8Array(buffer, byteOffset + start, this.#length - start));
    this.#tail = `${seal(digest)}\n`;
    return { seq: head.seq + 1, hash: digest };
  }

  get bytes(): Uint8Array {
    this.#write(this.#tail);
    this.#tail = "";
    return this.#bytes.subarray(0, this.#length);
  }

  clear(): void {
    this.#length = 0;
    this.#tail = "";
    if (this.#bytes.length > keptBytes) this.#bytes = Buffer.allocUnsafe(firstBytes);
  }

  #write(text: string): void {
    this.#reserve(text.length);
    this.#length += this.#bytes.write(text, this.#length, "latin1");
  }

  #reserve(more: number): void {
    const needed = this.#length + more;
    if (needed <= this.#bytes.length) return;
    const larger = Buffer.allocUnsafe(Math.max(needed, this.#bytes.length * 2));
    this.#bytes.copy(larger, 0, 0, this.#length);
    this.#bytes = larger;
  }
}
