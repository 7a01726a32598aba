import type { OutgoingHttpHeaders } from "node:http";
import type { JsonRpcId, JsonRpcMessage } from "../connection/json-rpc.js";
import { withoutArguments } from "./headers.js";
import type { Upstream } from "./upstream.js";
import { type AnswerSink, isSuccess, readAnswer } from "./upstream-answer.js";

/** What the link says to the upstream by itself: its own questions, and that it waits no longer. */
export class OwnRequests {
  readonly #upstream: Upstream;
  readonly #maxBytes: number;
  readonly #sink: AnswerSink;
  readonly #failed: (id: JsonRpcId, error: Error) => void;
  readonly #waiting = new Map<unknown, AbortController>();

  constructor(
    upstream: Upstream,
    maxBytes: number,
    sink: AnswerSink,
    failed: (id: JsonRpcId, error: Error) => void,
  ) {
    this.#upstream = upstream;
    this.#maxBytes = maxBytes;
    this.#sink = sink;
    this.#failed = failed;
  }

  /** It never rejects. */
  async send(message: JsonRpcMessage, headersOfClient: OutgoingHttpHeaders): Promise<void> {
    const { id, method } = message;
    const isRequest = method !== undefined && id !== undefined && id !== null;
    const abort = new AbortController();
    if (isRequest) this.#waiting.set(id, abort);
    try {
      const headers = headersOf(headersOfClient, method);
      const body = JSON.stringify(message);
      if (!isRequest) {
        await this.#upstream.tell(headers, abort, body);
        return;
      }
      const response = await this.#upstream.send("POST", headers, abort.signal, body);
      const ready = (): Promise<void> => {
        // It is answered, and its stream could go on without end. One that has ended keeps its connection.
        if (!this.#waiting.has(id) && !response.complete) response.destroy();
        return this.#sink.ready();
      };
      if (isSuccess(response)) {
        await readAnswer(response, this.#maxBytes, { ...this.#sink, ready });
      } else this.#upstream.discard(response);
    } catch {
      // Told below, where anybody waits.
    }
    if (isRequest && this.answered(id)) {
      this.#failed(id, new Error("The MCP server gave no answer."));
    }
  }

  /** Whether the id is of one that waited. */
  answered(id: unknown): boolean {
    return this.#waiting.delete(id);
  }

  abort(id: unknown): void {
    this.#waiting.get(id)?.abort();
  }

  close(): void {
    for (const abort of this.#waiting.values()) abort.abort();
  }
}

/** The client's, without what they say of its own message. */
function headersOf(headers: OutgoingHttpHeaders, method: string | undefined): OutgoingHttpHeaders {
  const { "mcp-name": _, "mcp-method": named, ...rest } = withoutArguments(headers);
  return {
    ...rest,
    accept: "application/json, text/event-stream",
    ...(named !== undefined && method !== undefined && { "mcp-method": method }),
  };
}
