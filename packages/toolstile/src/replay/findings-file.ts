import { closeSync, openSync, writeSync } from "node:fs";
import type { Finding } from "./finding.js";

/** Bytes that are gathered before they are written. */
const gathered = 1 << 16;

/** Where a conversation stands. */
export interface Place {
  readonly file: string;
  readonly line: number;
  /** Its id, or "line 7" where it has none. */
  readonly conversation: string;
}

/** A list of all findings, as JSON Lines. Whatever was in the file before is gone. */
export class FindingsFile {
  readonly path: string;
  readonly #descriptor: number;
  #text = "";

  /** @throws the system's error when the file cannot be written. */
  constructor(path: string) {
    this.path = path;
    this.#descriptor = openSync(path, "w");
  }

  /** @throws the system's error when the file cannot be written. */
  add({ file, line, conversation }: Place, findings: readonly Finding[]): void {
    for (const { messageIndex, callIndex, code, reason } of findings) {
      const entry = { file, line, conversation, messageIndex, callIndex, code, reason };
      this.#text += `${JSON.stringify(entry)}\n`;
    }
    if (this.#text.length >= gathered) this.#write();
  }

  /** @throws the system's error when the file cannot be written. */
  close(): void {
    try {
      this.#write();
    } finally {
      closeSync(this.#descriptor);
    }
  }

  #write(): void {
    const bytes = Buffer.from(this.#text);
    this.#text = "";
    for (let written = 0; written < bytes.length; ) {
      written += writeSync(this.#descriptor, bytes, written);
    }
  }
}
