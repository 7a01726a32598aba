import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** A request as the server read it. */
export interface ModelRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  /** The parsed JSON; the text where it is none. */
  readonly body: unknown;
  /** Settles when the exchange is over: `true` where the client left before the answer was whole. */
  readonly left: Promise<boolean>;
}

/** The server's answer to one request. */
export type ModelReply =
  /** JSON, or text as it is. */
  | {
      readonly status?: number;
      readonly headers?: Readonly<Record<string, string>>;
      readonly body: unknown;
    }
  /** A stream of server-sent events: JSON is written as `data: …`, text as it is. Ends with `[DONE]` unless `done` is false. */
  | {
      readonly headers?: Readonly<Record<string, string>>;
      readonly events: Iterable<unknown> | AsyncIterable<unknown>;
      readonly done?: boolean;
    }
  /** Anything else that a server can do: nothing, half an answer, a reset. */
  | { readonly respond: (response: ServerResponse) => void | Promise<void> };

/** A chat model on 127.0.0.1 that answers what a test wrote down. */
export interface ModelServer extends AsyncDisposable {
  /** `http://127.0.0.1:<port>` */
  readonly url: string;
  /** The requests so far, in order. */
  readonly requests: readonly ModelRequest[];
  readonly close: () => Promise<void>;
}

/**
 * Start a real HTTP server that plays a chat model, with replies in order or by request.
 *
 * When a list of replies is used up, it answers 500.
 */
export async function modelServer(
  replies:
    | readonly ModelReply[]
    | ((request: ModelRequest, index: number) => ModelReply | Promise<ModelReply>),
): Promise<ModelServer> {
  const requests: ModelRequest[] = [];
  const exhausted: ModelReply = { status: 500, body: { error: { message: "no reply is left" } } };
  const server = createServer(async (incoming, response) => {
    let text = "";
    incoming.setEncoding("utf8");
    for await (const piece of incoming) text += piece;
    const left = new Promise<boolean>((resolve) => {
      response.once("close", () => resolve(!response.writableFinished));
    });
    const request: ModelRequest = {
      method: incoming.method ?? "",
      path: incoming.url ?? "",
      headers: incoming.headers,
      body: parsed(text),
      left,
    };
    const index = requests.push(request) - 1;
    try {
      const reply =
        typeof replies === "function"
          ? await replies(request, index)
          : (replies[index] ?? exhausted);
      await answer(response, reply);
    } catch {
      response.destroy();
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const close = async (): Promise<void> => {
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    server.closeAllConnections();
    await closed;
  };
  return { url: `http://127.0.0.1:${port}`, requests, close, [Symbol.asyncDispose]: close };
}

/** The body of a whole answer that holds this message. */
export function completionBody(
  message: Readonly<Record<string, unknown>>,
  finishReason = "stop",
): Record<string, unknown> {
  return {
    id: "chatcmpl-1",
    object: "chat.completion",
    model: "scripted",
    choices: [
      { index: 0, message: { role: "assistant", ...message }, finish_reason: finishReason },
    ],
    usage: { prompt_tokens: 7, completion_tokens: 5, total_tokens: 12 },
  };
}

/** One chunk of a streamed answer. */
export function completionChunk(
  delta: Readonly<Record<string, unknown>>,
  finishReason: string | null = null,
): Record<string, unknown> {
  return {
    id: "chatcmpl-1",
    object: "chat.completion.chunk",
    model: "scripted",
    choices: [{ index: 0, delta, finish_reason: finishReason }],
  };
}

async function answer(response: ServerResponse, reply: ModelReply): Promise<void> {
  if ("respond" in reply) {
    await reply.respond(response);
    return;
  }
  if ("events" in reply) {
    response.writeHead(200, { "content-type": "text/event-stream", ...reply.headers });
    for await (const event of reply.events) {
      const written = typeof event === "string" ? event : `data: ${JSON.stringify(event)}\n\n`;
      if (!response.write(written)) await drained(response);
      if (response.destroyed) return;
    }
    response.end(reply.done === false ? undefined : "data: [DONE]\n\n");
    return;
  }
  const isText = typeof reply.body === "string";
  response.writeHead(reply.status ?? 200, {
    "content-type": isText ? "text/plain" : "application/json",
    ...reply.headers,
  });
  response.end(isText ? reply.body : JSON.stringify(reply.body));
}

function drained(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const go = (): void => {
      response.off("drain", go);
      response.off("close", go);
      resolve();
    };
    response.on("drain", go);
    response.on("close", go);
    // A client that left before gives neither.
    if (response.destroyed) go();
  });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
