import { isUtf8 } from "node:buffer";
import { withoutMark } from "../../message/read-message.js";
import { Chunks } from "../chunks.js";

/** One block of a stream of server-sent events. */
export interface StreamEvent {
  /** Its lines as they came, each ended by a line feed, with the blank line. */
  readonly bytes: Buffer;
  /** Its data lines, joined. Absent if it has none: readers then ignore the event. */
  readonly data?: string | undefined;
  /** Its type, if it is not `message`. */
  readonly type?: string | undefined;
  /** The lines that a changed event keeps: its type, id, retry and comments. */
  readonly rest: readonly string[];
}

export class EventStreamError extends Error {
  override readonly name = "EventStreamError";
}

const mostLines = 100_000;
const newline = 10;
const carriageReturn = 13;

/**
 * Reads server-sent events as the HTML standard says, wherever the bytes were cut.
 *
 * A comment between events is given at once: it is there to keep the
 * connection open. An event that the end of the stream cuts off is dropped, as
 * readers do.
 */
export class EventStream {
  readonly #maxBytes: number;
  readonly #event: (event: StreamEvent) => void;
  /** The start of a line whose end is still to come. */
  readonly #held = new Chunks();
  #afterReturn = false;
  #isFirst = true;
  #block = new Block();

  constructor(maxBytes: number, event: (event: StreamEvent) => void) {
    this.#maxBytes = maxBytes;
    this.#event = event;
  }

  /** The bytes of the event whose end is still to come. */
  get held(): number {
    return this.#held.length + this.#block.length;
  }

  /** Takes the next bytes. @throws EventStreamError for an event that is too long. */
  write(chunk: Buffer): void {
    let start = 0;
    if (this.#afterReturn && chunk.length > 0) {
      this.#afterReturn = false;
      // The second half of a line end that was cut in two.
      if (chunk[0] === newline) start = 1;
    }
    const ends = new LineEnds(chunk);
    for (let end = ends.after(start); end >= 0; end = ends.after(start)) {
      const line = this.#lineOf(chunk.subarray(start, end));
      start = end + 1;
      if (chunk[end] === carriageReturn) {
        if (chunk[start] === newline) start++;
        else this.#afterReturn = start === chunk.length;
      }
      this.#take(line);
    }
    if (start < chunk.length) this.#hold(chunk.subarray(start));
  }

  #hold(piece: Buffer): void {
    this.#held.add(piece);
    if (this.held > this.#maxBytes) {
      throw new EventStreamError(`An event is longer than ${this.#maxBytes} bytes.`);
    }
  }

  #lineOf(last: Buffer): Buffer {
    this.#hold(last);
    const line = this.#held.take();
    if (!this.#isFirst) return line;
    this.#isFirst = false;
    return withoutMark(line);
  }

  #take(line: Buffer): void {
    const isComment = line[0] === 58;
    if (line.length > 0 && !(isComment && this.#block.isEmpty)) {
      this.#block.add(line);
      return;
    }
    const block = this.#block;
    this.#block = new Block();
    if (isComment) block.add(line);
    this.#event(block.event(isComment));
  }
}

/** Finds the ends of a chunk's lines, one after the other. No byte is searched twice for the same. */
class LineEnds {
  readonly #chunk: Buffer;
  /** The next line feed; -1 after the last. */
  #feed: number;

  constructor(chunk: Buffer) {
    this.#chunk = chunk;
    this.#feed = chunk.indexOf(newline);
  }

  after(start: number): number {
    const chunk = this.#chunk;
    if (this.#feed >= 0 && this.#feed < start) this.#feed = chunk.indexOf(newline, start);
    const feed = this.#feed;
    const back = chunk.subarray(start, feed < 0 ? undefined : feed).indexOf(carriageReturn);
    return back < 0 ? feed : start + back;
  }
}

/** The lines of an event so far. */
class Block {
  readonly #lines: Buffer[] = [];
  length = 0;

  get isEmpty(): boolean {
    return this.#lines.length === 0;
  }

  add(line: Buffer): void {
    // Each line costs much more memory than its bytes.
    if (this.#lines.push(line) > mostLines) {
      throw new EventStreamError(`An event has more than ${mostLines} lines.`);
    }
    this.length += line.length + 1;
  }

  event(isComment: boolean): StreamEvent {
    const end = isComment ? "\n" : "\n\n";
    const bytes = Buffer.concat([
      ...this.#lines.flatMap((line, index) => (index === 0 ? [line] : [feed, line])),
      this.isEmpty ? feed : Buffer.from(end),
    ]);
    if (!isUtf8(bytes)) throw new EventStreamError("An event is not UTF-8.");
    const data: string[] = [];
    const rest: string[] = [];
    let type: string | undefined;
    for (const line of this.#lines) {
      const text = line.toString("utf8");
      const { name, value } = field(text);
      if (name === "data") data.push(value);
      else rest.push(text);
      if (name === "event") type = value;
    }
    return {
      bytes,
      data: data.length === 0 ? undefined : data.join("\n"),
      type: type === "" || type === "message" ? undefined : type,
      rest,
    };
  }
}

const feed = Buffer.from("\n");

function field(line: string): { readonly name: string; readonly value: string } {
  const colon = line.indexOf(":");
  if (colon < 0) return { name: line, value: "" };
  const value = line.slice(colon + 1);
  return { name: line.slice(0, colon), value: value.startsWith(" ") ? value.slice(1) : value };
}

/** An event's text with other data. Its other lines are kept. */
export function withData(event: StreamEvent | undefined, data: string): string {
  const rest = event?.rest ?? ["event: message"];
  return `${[...rest, `data: ${data}`].join("\n")}\n\n`;
}

/** True for an event from which a stream can be resumed. */
export function hasId(event: StreamEvent): boolean {
  return event.rest.some((line) => field(line).name === "id");
}
