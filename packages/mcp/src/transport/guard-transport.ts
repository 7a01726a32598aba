import { ownValue } from "@toolstile/core/provider";
import { Exchange } from "../connection/exchange.js";
import {
  GuardedConnection,
  type GuardedConnectionOptions,
} from "../connection/guarded-connection.js";
import {
  cancellation,
  envelopeOf,
  type JsonRpcId,
  type JsonRpcMessage,
  kindOf,
} from "../message/json-rpc.js";
import { paramHeaders } from "../message/param-headers.js";
import { type McpTransport, WrappedTransport } from "./transport.js";

/**
 * Put guards on a client's transport, of either SDK line. Every call of the client's goes through them.
 *
 * Give the returned transport to `connect()`, and use the inner one for nothing
 * else. Closing it settles what is open. The guards and observers stay yours to
 * close.
 *
 * @throws ToolstileError as `ToolRunner` does.
 */
export function guardTransport<T extends McpTransport>(
  transport: T,
  options: GuardedConnectionOptions,
): T {
  return new GuardedClientTransport(transport, options).outer as T;
}

/** The SDK's options for a message that it sends. */
interface SendOptions {
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly requestSignal?: AbortSignal | undefined;
}

/** A message of the client's, and the SDK's promise that it is sent. */
class Sending extends Exchange {
  readonly options: SendOptions;
  readonly isRequest: boolean;
  /** Ends the request, where the transport has a stream for each. */
  readonly abort = new AbortController();
  readonly sent: Promise<void>;
  resolve: () => void = () => {};
  reject: (error: unknown) => void = () => {};

  constructor(message: JsonRpcMessage, options: SendOptions) {
    super(message);
    this.options = options;
    this.isRequest = kindOf(message).kind === "request";
    this.sent = new Promise((resolve, reject) => {
      this.resolve = resolve;
      this.reject = reject;
    });
  }
}

class GuardedClientTransport {
  readonly outer: McpTransport;
  readonly #inner: McpTransport & { readonly hasPerRequestStream?: boolean };
  readonly #connection: GuardedConnection;
  /** The messages that are not sent yet. */
  readonly #unsent = new Set<Sending>();
  #closed = false;

  constructor(inner: McpTransport, options: GuardedConnectionOptions) {
    this.#inner = inner;
    this.#connection = new GuardedConnection(
      options,
      {
        toClient: (message, extra, request) => {
          (request as Sending | undefined)?.resolve();
          wrapped.deliver(message, extra);
        },
        toServer: (message, extra) => this.#toServer(message, extra),
        failed: (_, error, request) => (request as Sending).reject(error),
        cancelled: (request) => (request as Sending).resolve(),
        refused: (answer) => void inner.send(answer).catch((error) => this.outer.onerror?.(error)),
      },
      { extraOf: (extra) => (extra as Sending | undefined)?.options },
    );
    const wrapped: WrappedTransport<McpTransport> = new WrappedTransport(inner, {
      send: (message, sendOptions) => this.#send(message, Object(sendOptions)),
      received: (message, extra) => this.#connection.fromServer(message, extra),
      closed: () => void this.#close(),
      closing: () => this.#close(),
    });
    this.outer = wrapped.outer;
  }

  /** Resolves when the message has been sent, or need not be. */
  #send(message: JsonRpcMessage, options: SendOptions): Promise<void> {
    if (this.#closed) return Promise.reject(new Error("The transport is closed."));
    const sending = new Sending(message, options);
    const { sent, isRequest, abort } = sending;
    this.#unsent.add(sending);
    const settled = (): void => void this.#unsent.delete(sending);
    sent.then(settled, settled);
    if (isRequest) {
      // The end of the request's stream is all that the server is told.
      const cancel = (): void =>
        this.#connection.fromClient(
          cancellation(message.id as JsonRpcId, "The client gave up."),
          undefined,
        );
      options.requestSignal?.addEventListener("abort", cancel, { signal: abort.signal });
    }
    this.#connection.fromClient(message, sending);
    // A message that is neither sent nor waits to be was not passed on.
    if (!isRequest && !sending.isSent) sending.resolve();
    return sent;
  }

  #toServer(message: JsonRpcMessage, extra: unknown): void {
    if (!(extra instanceof Sending)) return;
    if (extra.isFor(message)) {
      extra.isSent = true;
      const failed = (error: unknown): void => {
        if (extra.isRequest) this.#connection.failed(message.id, error);
        else extra.reject(error);
      };
      this.#inner.send(message, this.#optionsFor(message, extra)).then(extra.resolve, failed);
    } else if (message.method === "notifications/cancelled" && this.#endsByStream(extra)) {
      extra.abort.abort();
    } else {
      this.#inner.send(message).catch((error) => this.#connection.failed(message.id, error));
    }
  }

  /** True for a request that ends when its stream does, which is how the revision of 2026-07-28 cancels over HTTP. */
  #endsByStream({ message }: Sending): boolean {
    return this.#inner.hasPerRequestStream === true && envelopeOf(message.params) !== undefined;
  }

  #optionsFor(message: JsonRpcMessage, sending: Sending): SendOptions {
    const { options, abort } = sending;
    const { headers, requestSignal } = options;
    const ending = this.#endsByStream(sending)
      ? {
          requestSignal: AbortSignal.any([abort.signal, ...(requestSignal ? [requestSignal] : [])]),
        }
      : {};
    if (headers === undefined || message === sending.message) return { ...options, ...ending };
    const name = ownValue(message.params, "name");
    const schema = this.#connection.definition(name as string)?.["inputSchema"];
    const decided = paramHeaders(headers, schema, ownValue(message.params, "arguments"));
    return { ...options, ...ending, headers: decided };
  }

  async #close(): Promise<void> {
    this.#closed = true;
    for (const sending of this.#unsent) sending.reject(new Error("The transport is closed."));
    await this.#connection.close();
  }
}
