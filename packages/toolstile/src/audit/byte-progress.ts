import { counted, printable, type Terminal } from "../terminal.js";

/** Milliseconds between two looks: more often than this nobody sees. */
const interval = 100;
/** Bytes; smaller logs are read before a line about them could be. */
const smallest = 16 << 20;

/** A line on the terminal that says how much of a large log was read; nothing where there is no terminal. */
export class ByteProgress {
  readonly #terminal: Terminal;
  #shownAt = Number.NEGATIVE_INFINITY;
  #isShown = false;

  constructor(terminal: Terminal) {
    this.#terminal = terminal;
  }

  show(file: string, bytes: number, totalBytes: number): void {
    const { err, now } = this.#terminal;
    if (err.isTTY !== true || totalBytes < smallest) return;
    const time = now();
    if (time - this.#shownAt < interval) return;
    this.#shownAt = time;
    this.#isShown = true;
    const [done, all] = [bytes, totalBytes].map((each) => counted(Math.floor(each / (1 << 20))));
    const share = Math.floor((Math.min(bytes, totalBytes) / totalBytes) * 100);
    err.write(`\r\u001b[2K${printable(file).slice(-40)}: ${done} of ${all} MiB, ${share} %`);
  }

  /** Take the line away, before anything else is written. */
  clear(): void {
    if (this.#isShown) this.#terminal.err.write("\r\u001b[2K");
    this.#isShown = false;
  }
}
