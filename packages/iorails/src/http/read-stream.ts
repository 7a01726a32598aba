import { CompletionAssembler } from "../chat/assembly.js";
import { readCompletion } from "../chat/completion.js";
import type { Completion, CompletionEvent } from "../chat/message.js";
import { type SseEvent, SseOverflowError, SseReader } from "../chat/sse.js";
import { EventBatch } from "./event-batch.js";
import type { Exchange, ReadLimits } from "./exchange.js";
import { brokenOff, malformed, reported } from "./failures.js";
import { readJson } from "./read-json.js";

/** The longest stream, in bytes after decompression: each token comes in some hundred of them. */
const longestStream = 256 * 1_024 * 1_024;
const limits: ReadLimits = { bytes: longestStream, timed: "each read" };

/** What takes a stream apart and puts its answer together; made before there is anything to read. */
export interface StreamReaders {
  readonly sse: SseReader;
  readonly assembler: CompletionAssembler;
}

/** @param model is for errors. */
export function streamReaders(model: string): StreamReaders {
  return { sse: new SseReader(), assembler: new CompletionAssembler(model) };
}

/**
 * Read a streamed answer, and only as far as it is asked for: each time what
 * one read of the network completes, which is to be taken whole before the next.
 *
 * A provider that does not stream and answers with one JSON body is read too.
 *
 * @throws ModelError "malformed" where an event is not JSON (upstream skips such
 *   an event), "network" where the stream ends neither with `[DONE]` nor after a
 *   finish reason.
 */
export async function* readStream(
  exchange: Exchange,
  { assembler, sse }: StreamReaders,
): AsyncGenerator<EventBatch, void, void> {
  const { route, response } = exchange;
  const form = formOf(response?.headers.get("content-type"));
  if (form === "other") throw malformed(route, "is neither an event stream nor JSON", response);
  if (form === "json") {
    yield EventBatch.of([
      ...whole(readCompletion(await readJson(exchange, "each read"), route.name)),
    ]);
    return;
  }
  let begun = false;
  let done = false;
  const take = (event: SseEvent, events: CompletionEvent[]): boolean => {
    const data = dataOf(exchange, event);
    done = data === "[DONE]";
    if (done) return false;
    if (data === "") return true;
    begun = true;
    assembler.take(parsed(exchange, data), events);
    return true;
  };
  while (!done) {
    const bytes = await exchange.piece(limits);
    const received = sseEvents(exchange, sse, bytes);
    if (received.length > 0) yield new EventBatch(received, take);
    if (bytes === undefined) break;
  }
  if (!done && !begun) throw brokenOff(route, response);
  const completion = assembler.end();
  if (!done && completion.finishReason === undefined) throw brokenOff(route, response);
  yield EventBatch.of([{ type: "end", completion }]);
}

/** What these bytes complete, or the end of them. */
function sseEvents(
  exchange: Exchange,
  reader: SseReader,
  bytes: Uint8Array | undefined,
): readonly SseEvent[] {
  try {
    if (bytes !== undefined) return reader.push(bytes);
    reader.end();
    return [];
  } catch (thrown) {
    if (!(thrown instanceof SseOverflowError)) throw thrown;
    throw malformed(exchange.route, "has an event that is too long", exchange.response);
  }
}

/** Empty where there is nothing to read: some servers keep a connection alive so. */
function dataOf(exchange: Exchange, { event, data }: SseEvent): string {
  if (event === "error") throw reported(exchange.route, exchange.response);
  return data.trim();
}

function parsed(exchange: Exchange, data: string): unknown {
  try {
    return JSON.parse(data);
  } catch {
    throw malformed(exchange.route, "has an event that is not JSON", exchange.response);
  }
}

function* whole(completion: Completion): Generator<CompletionEvent, void, void> {
  const { reasoning, content } = completion;
  if (reasoning !== undefined && reasoning !== "") yield { type: "reasoning", text: reasoning };
  if (content !== "") yield { type: "text", text: content };
  yield { type: "end", completion };
}

/** Servers that name no type, or a general one, may still stream; what is no stream then fails as one. */
function formOf(contentType: string | null | undefined): "stream" | "json" | "other" {
  const type = (contentType ?? "").split(";", 1)[0]?.trim().toLowerCase() ?? "";
  if (["text/event-stream", "", "text/plain", "application/octet-stream"].includes(type)) {
    return "stream";
  }
  return type === "application/json" || type.endsWith("+json") ? "json" : "other";
}
