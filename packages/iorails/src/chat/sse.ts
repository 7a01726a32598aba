import { TextPieces } from "./text-pieces.js";

/** One event of a server-sent event stream. */
export interface SseEvent {
  /** "message" where the stream names none. */
  readonly event: string;
  readonly data: string;
}

export interface SseLimits {
  /** The most UTF-16 code units that one event, or one line, may have. Default 4 Mi. */
  readonly maxEventChars?: number | undefined;
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
  /** The line that has not ended yet. */
  readonly #line = new TextPieces();
  readonly #data = new TextPieces();
  #hasData = false;
  #event = "";
  /** Whether the last character was a carriage return: a line feed that follows belongs to it. */
  #afterReturn = false;
  #overflown = false;

  constructor(limits: SseLimits = {}) {
    this.#maxEventChars = limits.maxEventChars ?? 4 * 1024 * 1024;
  }

  /**
   * The events that these bytes complete.
   *
   * @throws SseOverflowError for an event too long, once those before it have been given.
   */
  push(bytes: Uint8Array): readonly SseEvent[] {
    this.#refuseOverflow();
    const events: SseEvent[] = [];
    this.#read(this.#decoder.decode(bytes, { stream: true }), events);
    if (events.length === 0) this.#refuseOverflow();
    return events;
  }

  /**
   * Say that no more bytes come. What has not been completed is dropped.
   *
   * @throws SseOverflowError where the event after the last one given was too long.
   */
  end(): void {
    this.#drop();
    this.#refuseOverflow();
  }

  #read(text: string, events: SseEvent[]): void {
    if (text === "") return;
    let start = this.#afterReturn && text.charCodeAt(0) === lineFeed ? 1 : 0;
    this.#afterReturn = false;
    // Each is looked for again only once it has been passed: else a text without one of them would be searched whole for every line.
    let feed = text.indexOf("\n", start);
    let carriage = text.indexOf("\r", start);
    while (feed !== -1 || carriage !== -1) {
      const byReturn = carriage !== -1 && (feed === -1 || carriage < feed);
      const end = byReturn ? carriage : feed;
      if (!this.#fits(end - start)) return;
      this.#line.add(text.slice(start, end));
      this.#endLine(this.#line.flush(), events);
      start = end + 1;
      if (byReturn) {
        if (start === text.length) this.#afterReturn = true;
        else if (text.charCodeAt(start) === lineFeed) start += 1;
        carriage = text.indexOf("\r", start);
      }
      if (feed !== -1 && feed < start) feed = text.indexOf("\n", start);
    }
    if (this.#fits(text.length - start)) this.#line.add(text.slice(start));
  }

  #endLine(line: string, events: SseEvent[]): void {
    if (line === "") {
      if (this.#hasData) events.push({ event: this.#event || "message", data: this.#data.flush() });
      this.#hasData = false;
      this.#event = "";
      return;
    }
    if (line.charCodeAt(0) === colon) return;
    const at = line.indexOf(":");
    const field = at === -1 ? line : line.slice(0, at);
    if (field !== "data" && field !== "event") return;
    const value = at === -1 ? "" : line.slice(line.charCodeAt(at + 1) === space ? at + 2 : at + 1);
    if (field === "event") {
      this.#event = value;
      return;
    }
    if (this.#hasData) this.#data.add("\n");
    this.#data.add(value);
    this.#hasData = true;
  }

  #fits(more: number): boolean {
    if (this.#line.length + more + this.#data.length <= this.#maxEventChars) return true;
    this.#drop();
    this.#overflown = true;
    return false;
  }

  #drop(): void {
    this.#line.flush();
    this.#data.flush();
    this.#hasData = false;
    this.#event = "";
  }

  #refuseOverflow(): void {
    if (this.#overflown) throw new SseOverflowError(this.#maxEventChars);
  }
}
