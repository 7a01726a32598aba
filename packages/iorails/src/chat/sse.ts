import { TextPieces } from "./text-pieces.js";

/** One event of a server-sent event stream. */
export interface SseEvent {
  /** "message" where the stream names none. */
  readonly event: string;
  readonly data: string;
}

/** An event of a stream is longer than allowed. Its text is not in the message. */
export class SseOverflowError extends Error {
  constructor(maxEventChars: number) {
    super(`A server-sent event is longer than ${maxEventChars} characters.`);
    this.name = "SseOverflowError";
  }
}

const lineFeed = 10;
const colon = 58;
const space = 32;

/**
 * Reads server-sent events from bytes that may be cut anywhere.
 *
 * As the HTML standard has it under "Interpreting an event stream". `id` and
 * `retry` are read past: a model's answer is not resumed. An event that no
 * empty line ends is never given.
 */
export class SseReader {
  readonly #decoder = new TextDecoder();
  readonly #maxEventChars: number;
  /** The chunk that came last, which is read up to `at`, and the ends of its next lines, if there are any. */
  #text = "";
  #at = 0;
  #feed = -1;
  #carriage = -1;
  /** The line that has not ended yet. */
  readonly #line = new TextPieces();
  readonly #data = new TextPieces();
  #hasData = false;
  #event = "";
  /** True if the last character was a carriage return: a line feed that follows belongs to it. */
  #afterReturn = false;
  #overflown = false;

  /** @param maxEventChars the most UTF-16 code units that one event, or one line, may have. */
  constructor(maxEventChars = 4 * 1024 * 1024) {
    this.#maxEventChars = maxEventChars;
  }

  /** Take more bytes. What they complete is given by `next`. */
  push(bytes: Uint8Array): void {
    const more = this.#decoder.decode(bytes, { stream: true });
    if (more === "" || this.#overflown) return;
    const isSecondHalf = this.#afterReturn && more.charCodeAt(0) === lineFeed;
    this.#afterReturn = false;
    this.#text = this.#text.slice(this.#at) + (isSecondHalf ? more.slice(1) : more);
    this.#at = 0;
    // Each is looked for again only once it has been passed: else a text without one of them would be searched whole for every line.
    this.#feed = this.#text.indexOf("\n");
    this.#carriage = this.#text.indexOf("\r");
  }

  /**
   * The next event that is complete, read no sooner; nothing where more bytes are needed.
   *
   * @throws SseOverflowError for one that is too long, and from then on.
   */
  next(): SseEvent | undefined {
    this.#refuseOverflow();
    const text = this.#text;
    while (this.#feed !== -1 || this.#carriage !== -1) {
      const start = this.#at;
      const byReturn = this.#carriage !== -1 && (this.#feed === -1 || this.#carriage < this.#feed);
      const end = byReturn ? this.#carriage : this.#feed;
      this.#fit(end - start);
      let at = end + 1;
      if (byReturn) {
        if (at === text.length) this.#afterReturn = true;
        else if (text.charCodeAt(at) === lineFeed) at += 1;
        this.#carriage = text.indexOf("\r", at);
      }
      if (this.#feed !== -1 && this.#feed < at) this.#feed = text.indexOf("\n", at);
      this.#at = at;
      const event = this.#endLine(this.#lineUpTo(text.slice(start, end)));
      if (event !== undefined) return event;
    }
    const rest = text.slice(this.#at);
    this.#at = text.length;
    this.#fit(rest.length);
    if (rest !== "") this.#line.add(rest);
    return undefined;
  }

  /** The whole line, of which this is the end. */
  #lineUpTo(end: string): string {
    if (this.#line.length === 0) return end;
    this.#line.add(end);
    return this.#line.flush();
  }

  /** The event that the line completes. */
  #endLine(line: string): SseEvent | undefined {
    if (line === "") {
      const event = this.#event || "message";
      const completed = this.#hasData ? { event, data: this.#data.flush() } : undefined;
      this.#hasData = false;
      this.#event = "";
      return completed;
    }
    if (line.charCodeAt(0) === colon) return undefined;
    const at = line.indexOf(":");
    const field = at === -1 ? line : line.slice(0, at);
    if (field !== "data" && field !== "event") return undefined;
    const value = at === -1 ? "" : line.slice(line.charCodeAt(at + 1) === space ? at + 2 : at + 1);
    if (field === "event") {
      this.#event = value;
      return undefined;
    }
    if (this.#hasData) this.#data.add("\n");
    this.#data.add(value);
    this.#hasData = true;
    return undefined;
  }

  /** @throws SseOverflowError where so many more are too many. */
  #fit(more: number): void {
    if (this.#line.length + more + this.#data.length <= this.#maxEventChars) return;
    this.#line.flush();
    this.#data.flush();
    this.#text = "";
    this.#at = 0;
    this.#overflown = true;
    this.#refuseOverflow();
  }

  #refuseOverflow(): void {
    if (this.#overflown) throw new SseOverflowError(this.#maxEventChars);
  }
}
