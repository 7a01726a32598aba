import { CompletionAssembler } from "../chat/assembly.js";
import { readCompletion } from "../chat/completion.js";
import type { Completion, CompletionEvent } from "../chat/message.js";
import { readSse, SseOverflowError } from "../chat/sse.js";
import type { Exchange } from "./exchange.js";
import { brokenOff, malformed, reported } from "./failures.js";
import { readJson } from "./read-json.js";

/** The longest stream, in bytes after decompression: each token comes in some hundred of them. */
const longestStream = 256 * 1_024 * 1_024;

/**
 * Read a streamed answer, and only as far as events are asked for.
 *
 * A provider that does not stream and answers with one JSON body is read too.
 *
 * @throws ModelError "malformed" where an event is not JSON (upstream skips such
 *   an event), "network" where the stream ends neither with `[DONE]` nor after a
 *   finish reason.
 */
export async function* readStream(exchange: Exchange): AsyncGenerator<CompletionEvent, void, void> {
  const { route, response } = exchange;
  const form = formOf(response?.headers.get("content-type"));
  if (form === "other") throw malformed(route, "is neither an event stream nor JSON", response);
  if (form === "json") {
    yield* whole(readCompletion(await readJson(exchange, "each read"), route.name));
    return;
  }
  const assembler = new CompletionAssembler(route.name);
  let begun = false;
  let done = false;
  for await (const data of eventData(exchange)) {
    if (data === "[DONE]") {
      done = true;
      break;
    }
    begun = true;
    yield* assembler.take(parsed(exchange, data));
  }
  if (!done && !begun) throw brokenOff(route, response);
  const completion = assembler.end();
  if (!done && completion.finishReason === undefined) throw brokenOff(route, response);
  yield { type: "end", completion };
}

async function* eventData(exchange: Exchange): AsyncGenerator<string, void, void> {
  try {
    const body = exchange.read({ bytes: longestStream, timed: "each read" });
    for await (const event of readSse(body)) {
      if (event.event === "error") throw reported(exchange.route, exchange.response);
      const data = event.data.trim();
      // Some servers keep a connection alive so.
      if (data !== "") yield data;
    }
  } catch (thrown) {
    if (!(thrown instanceof SseOverflowError)) throw thrown;
    throw malformed(exchange.route, "has an event that is too long", exchange.response);
  }
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
