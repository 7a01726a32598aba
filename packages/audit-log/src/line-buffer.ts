import { hash } from "node:crypto";
import { opening, seal } from "./line.js";
import type { ChainHead } from "./sink.js";

/** Above this a buffer is given back once its lines are written. */
const keptBytes = 1 << 20;
const firstBytes = 1 << 16;
const sealBytes = 76;

/** Lines on their way to a sink, each hashed from the very bytes that are written. */
export class LineBuffer {
  #bytes = Buffer.allocUnsafe(firstBytes);
  #length = 0;

  /** Adds the line after `head`, and says what the head is then. The fields are JSON members in ASCII. */
  add(head: ChainHead, fields: string): ChainHead {
    const text = opening(head) + fields;
    const start = this.#length;
    this.#reserve(text.length + sealBytes);
    const end = start + this.#bytes.write(text, start, "latin1");
    const digest = hash("sha256", this.#bytes.subarray(start, end));
    this.#length = end + this.#bytes.write(`${seal(digest)}\n`, end, "latin1");
    return { seq: head.seq + 1, hash: digest };
  }

  get bytes(): Uint8Array {
    return this.#bytes.subarray(0, this.#length);
  }

  clear(): void {
    this.#length = 0;
    if (this.#bytes.length > keptBytes) this.#bytes = Buffer.allocUnsafe(firstBytes);
  }

  #reserve(more: number): void {
    const needed = this.#length + more;
    if (needed <= this.#bytes.length) return;
    const larger = Buffer.allocUnsafe(Math.max(needed, this.#bytes.length * 2));
    this.#bytes.copy(larger, 0, 0, this.#length);
    this.#bytes = larger;
  }
}
