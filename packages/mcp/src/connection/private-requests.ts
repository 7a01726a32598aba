import type { Clock } from "@toolstile/core";
import { cancellation, envelopeOf, type JsonRpcMessage, own } from "./json-rpc.js";

/** The client's request that makes one of our own necessary: it is sent in its name. */
export interface Occasion {
  readonly params: unknown;
  readonly extra: unknown;
}

interface Waiting {
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: Error) => void;
}

/** Requests of our own to the server, of which the client never hears. */
export class PrivateRequests {
  readonly #toServer: (message: JsonRpcMessage, extra: unknown) => void;
  readonly #clock: Pick<Clock, "setTimeout" | "clearTimeout">;
  readonly #timeoutMs: number;
  /** No client can guess it, so that no id of ours is one of the client's. */
  readonly #prefix = `toolstile-${crypto.randomUUID()}-`;
  readonly #waiting = new Map<unknown, Waiting>();
  #count = 0;

  constructor(
    toServer: (message: JsonRpcMessage, extra: unknown) => void,
    clock: Pick<Clock, "setTimeout" | "clearTimeout">,
    timeoutMs: number,
  ) {
    this.#toServer = toServer;
    this.#clock = clock;
    this.#timeoutMs = timeoutMs;
  }

  /** @returns the result. @throws where the server answers with an error, or not in time. */
  async ask(method: string, params: object, { params: asked, extra }: Occasion): Promise<unknown> {
    const id = `${this.#prefix}${this.#count++}`;
    const envelope = envelopeOf(asked);
    const meta = envelope === undefined ? {} : { _meta: envelope };
    const answered = new Promise<unknown>((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
    });
    const timer = this.#clock.setTimeout(() => {
      const reason = `No answer to ${method} within ${this.#timeoutMs} ms.`;
      this.failed(id, new Error(reason));
      try {
        this.#toServer(cancellation(id, reason), extra);
      } catch {
        // The server goes on with what nobody waits for.
      }
    }, this.#timeoutMs);
    try {
      this.#toServer({ jsonrpc: "2.0", id, method, params: { ...params, ...meta } }, extra);
      return await answered;
    } finally {
      this.#waiting.delete(id);
      this.#clock.clearTimeout(timer as never);
    }
  }

  /** Whether a response is for one of ours, also for one that is over. */
  isOurs(id: unknown): boolean {
    return typeof id === "string" && id.startsWith(this.#prefix);
  }

  answered(id: unknown, message: JsonRpcMessage): void {
    const error = own(message, "error");
    if (error === undefined) this.#waiting.get(id)?.resolve(own(message, "result"));
    else this.failed(id, new Error(String(own(error, "message"))));
  }

  failed(id: unknown, error: unknown): void {
    const why = error instanceof Error ? error : new Error(String(error));
    this.#waiting.get(id)?.reject(why);
  }

  close(): void {
    for (const id of [...this.#waiting.keys()]) this.failed(id, new Error("Connection closed."));
  }
}
