import { counted, printable, type Terminal } from "./terminal.js";

/** Milliseconds between two changes of the line. */
const interval = 100;
/** Bytes. A smaller log is read before anybody could read a line about it. */
const smallestLog = 16 << 20;

/** A line on the terminal that shows how far the work is. Without a terminal there is none. */
export class Progress {
  readonly #terminal: Terminal;
  #shownAt = Number.NEGATIVE_INFINITY;
  #isShown = false;

  constructor(terminal: Terminal) {
    this.#terminal = terminal;
  }

  show(file: string, calls: number): void {
    this.#show(() => `${printable(file).slice(-50)}: ${counted(calls)} calls`);
  }

  showBytes(file: string, bytes: number, totalBytes: number): void {
    if (totalBytes < smallestLog) return;
    const [done, all] = [bytes, totalBytes].map((each) => counted(Math.floor(each / (1 << 20))));
    const share = Math.floor((Math.min(bytes, totalBytes) / totalBytes) * 100);
    this.#show(() => `${printable(file).slice(-40)}: ${done} of ${all} MiB, ${share} %`);
  }

  /** Takes the line away, before anything else is written. */
  clear(): void {
    if (this.#isShown) this.#terminal.err.write("\r\u001b[2K");
    this.#isShown = false;
  }

  #show(line: () => string): void {
    const { err, now } = this.#terminal;
    if (err.isTTY !== true) return;
    const time = now();
    if (time - this.#shownAt < interval) return;
    this.#shownAt = time;
    this.#isShown = true;
    err.write(`\r\u001b[2K${line()}`);
  }
}
