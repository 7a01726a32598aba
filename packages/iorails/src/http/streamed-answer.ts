import { CompletionAssembler } from "../chat/assembly.js";
import { readCompletion } from "../chat/completion.js";
import type { Completion, CompletionEvent } from "../chat/message.js";
import { type SseEvent, SseOverflowError, SseReader } from "../chat/sse.js";
import { EventBatch } from "./event-batch.js";
import type { Exchange, ReadLimits } from "./exchange.js";
import { brokenOff, enriched, malformed, reported } from "./failures.js";
import { readJson } from "./read-json.js";
import { ask, type Question } from "./retry.js";

/** In bytes after decompression: each token comes in some hundred of them. */
const limits: ReadLimits = { bytes: 256 * 1_024 * 1_024, timed: "each read" };

/** The parsers of a stream, and the assembler of its answer. */
interface Readers {
  readonly sse: SseReader;
  readonly assembler: CompletionAssembler;
}

/**
 * A streamed answer, asked for and read only as far as it is consumed: each time
 * what one read of the network completes.
 *
 * A provider that does not stream and answers with one JSON body is read too.
 */
export class StreamedAnswer {
  readonly #exchange: Exchange;
  readonly #question: Question;
  readonly #model: string;
  #state: "unasked" | "asked" | "over" = "unasked";
  /** Settles once the head of the answer is there, with all of it where it comes whole. */
  #asking: Promise<EventBatch | undefined> | undefined;
  #readers: Readers | undefined;
  /** True when an event has come. */
  #begun = false;
  /** True when `[DONE]` has come. */
  #done = false;

  /** @param model is for errors. */
  constructor(exchange: Exchange, question: Question, model: string) {
    this.#exchange = exchange;
    this.#question = question;
    this.#model = model;
  }

  /** Ask now, and not when there is somebody to wait. */
  begin(): void {
    if (this.#state !== "unasked") return;
    this.#state = "asked";
    this.#asking = this.#ask();
    // Whoever waits is told.
    this.#asking.catch(() => {});
  }

  /**
   * The next batch, once the one before has been taken whole; nothing when it is over, or its reader has left.
   *
   * @throws ModelError, once: "malformed" where the answer cannot be read,
   *   "network" where it ends neither with `[DONE]` nor after a finish reason.
   */
  async next(): Promise<EventBatch | undefined> {
    if (this.#state === "over") return undefined;
    this.begin();
    try {
      if (this.#asking !== undefined) {
        const whole = await this.#asking;
        this.#asking = undefined;
        if (whole !== undefined) {
          this.#state = "over";
          return whole;
        }
      }
      while (!this.#done) {
        const bytes = await this.#exchange.piece(limits);
        if (bytes === undefined) break;
        this.#reading.sse.push(bytes);
        return new EventBatch(this.#parse);
      }
      return this.#end();
    } catch (thrown) {
      this.fail(thrown);
      return undefined;
    }
  }

  /** Close the connection: its answer cannot be read on. @throws ModelError, unless its reader has left. */
  fail(thrown: unknown): void {
    this.#state = "over";
    this.#exchange.fail();
    if (!this.#exchange.left) throw enriched(thrown, this.#exchange.response);
  }

  /** Read no further, whatever is under way. */
  leave(): void {
    this.#state = "over";
    this.#exchange.leave();
  }

  /** Ask for the answer, and say what it is where it comes whole. */
  async #ask(): Promise<EventBatch | undefined> {
    const exchange = this.#exchange;
    exchange.begin();
    const asking = ask(exchange, this.#question);
    // Once the request is on its way, while the model is waited for in any case.
    setImmediate(() => this.#reading);
    await asking;
    exchange.stopTimer();
    const { route, response } = exchange;
    const form = formOf(response?.headers.get("content-type"));
    if (form === "stream") return undefined;
    if (form === "other") throw malformed(route, "is neither an event stream nor JSON", response);
    const completion = readCompletion(await readJson(exchange, "each read"), route.name);
    return EventBatch.of([...eventsOf(completion)]);
  }

  readonly #parse = (events: CompletionEvent[]): boolean => {
    const event = nextEvent(this.#exchange, this.#reading.sse);
    if (event === undefined) return false;
    const data = dataOf(this.#exchange, event);
    this.#done = data === "[DONE]";
    if (this.#done) return false;
    // Some servers keep a connection alive so.
    if (data === "") return true;
    this.#begun = true;
    this.#reading.assembler.take(parsed(this.#exchange, data), events);
    return true;
  };

  get #reading(): Readers {
    this.#readers ??= { sse: new SseReader(), assembler: new CompletionAssembler(this.#model) };
    return this.#readers;
  }

  #end(): EventBatch {
    const { route, response } = this.#exchange;
    if (!this.#done && !this.#begun) throw brokenOff(route, response);
    const completion = this.#reading.assembler.end();
    if (!this.#done && completion.finishReason === undefined) throw brokenOff(route, response);
    this.#state = "over";
    return EventBatch.of([{ type: "end", completion }]);
  }
}

function nextEvent({ route, response }: Exchange, sse: SseReader): SseEvent | undefined {
  try {
    return sse.next();
  } catch (thrown) {
    if (!(thrown instanceof SseOverflowError)) throw thrown;
    throw malformed(route, "has an event that is too long", response);
  }
}

function dataOf({ route, response }: Exchange, { event, data }: SseEvent): string {
  if (event === "error") throw reported(route, response);
  return data.trim();
}

/** Upstream skips an event that is not JSON. */
function parsed({ route, response }: Exchange, data: string): unknown {
  try {
    return JSON.parse(data);
  } catch {
    throw malformed(route, "has an event that is not JSON", response);
  }
}

function* eventsOf(completion: Completion): Generator<CompletionEvent, void, void> {
  const { reasoning, content } = completion;
  if (reasoning !== undefined && reasoning !== "") yield { type: "reasoning", text: reasoning };
  if (content !== "") yield { type: "text", text: content };
  yield { type: "end", completion };
}

/** A server that names no type, or a general one, may still stream. If it does not, reading the stream fails. */
function formOf(contentType: string | null | undefined): "stream" | "json" | "other" {
  const type = (contentType ?? "").split(";", 1)[0]?.trim().toLowerCase() ?? "";
  switch (type) {
    case "text/event-stream":
    case "":
    case "text/plain":
    case "application/octet-stream":
      return "stream";
    default:
      return type === "application/json" || type.endsWith("+json") ? "json" : "other";
  }
}
