import type { LogFile } from "../src/files/log-file.js";

/** A file that is not there: its writes can fail, fall short, or wait to be let through. */
export class Disk implements LogFile {
  bytes = Buffer.alloc(0);
  links = 1;
  /** How many bytes one write takes at most. */
  shortest = Number.POSITIVE_INFINITY;
  /** Bytes that still fit. */
  room = Number.POSITIVE_INFINITY;
  failure = "ENOSPC";

  readonly stat = () => ({ size: this.bytes.length, links: this.links });
  readonly read = (target: Uint8Array, position: number) =>
    this.bytes.copy(target, 0, position, position + target.length);
  readonly write = async (bytes: Uint8Array) => {
    const count = Math.min(bytes.length, this.shortest, this.room);
    if (count === 0) throw Object.assign(new Error("disk"), { code: this.failure });
    this.bytes = Buffer.concat([this.bytes, bytes.subarray(0, count)]);
    this.room -= count;
    return count;
  };
  readonly truncate = (size: number) => {
    this.bytes = this.bytes.subarray(0, size);
  };
  readonly close = () => {};

  get lines(): string[] {
    return this.bytes.toString().split("\n").slice(0, -1);
  }
}
