import { closeSync, readSync } from "node:fs";
import { join } from "node:path";
import { openLogged } from "../files/log-folder.js";
import type { CallPlace } from "./chain-calls.js";

/** Reads texts at places of a log, most of which stand in the same file as the one before. */
export class OpenedSegment implements Disposable {
  readonly #folder: string;
  #path = "";
  #file: number | undefined;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** The text at a place; undefined where nothing can be read any more. */
  textAt({ chain, segment, offset, bytes }: CallPlace): string | undefined {
    try {
      const path = join(this.#folder, chain, segment);
      if (path !== this.#path) this.#open(path);
      if (this.#file === undefined) return undefined;
      const line = Buffer.alloc(bytes);
      return line.toString("utf8", 0, readSync(this.#file, line, 0, bytes, offset));
    } catch {
      return undefined;
    }
  }

  [Symbol.dispose](): void {
    if (this.#file !== undefined) closeSync(this.#file);
    this.#file = undefined;
  }

  #open(path: string): void {
    this[Symbol.dispose]();
    this.#path = path;
    this.#file = openLogged(path);
  }
}
