import { counted, printable, type Terminal } from "../terminal.js";

/** Milliseconds between two looks: more often than this nobody sees. */
const interval = 100;

/** A line on the terminal that says how far it is; nothing where there is no terminal. */
export class Progress {
  readonly #terminal: Terminal;
  #shownAt = Number.NEGATIVE_INFINITY;
  #shown = false;

  constructor(terminal: Terminal) {
    this.#terminal = terminal;
  }

  show(file: string, calls: number): void {
    const { err, now } = this.#terminal;
    if (err.isTTY !== true) return;
    const time = now();
    if (time - this.#shownAt < interval) return;
    this.#shownAt = time;
    this.#shown = true;
    err.write(`\r\u001b[2K${printable(file).slice(-50)}: ${counted(calls)} calls`);
  }

  /** Take the line away, before anything else is written. */
  clear(): void {
    if (this.#shown) this.#terminal.err.write("\r\u001b[2K");
    this.#shown = false;
  }
}
