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
  own,
} from "../connection/json-rpc.js";
import { paramHeaders } from "./param-headers.js";
import { type McpTransport, WrappedTransport } from "./transport.js";

/**
 * Put guards on a client's transport, of either SDK line: no call that the client makes goes past it.
 *
 * Give what comes back to `connect()`, and keep the inner transport to
 * yourself. Closing it settles what is open. The guards and observers are
 * yours, to close as well.
 *
 * @throws ToolstileError as `ToolRunner` does.
 */
export function guardTransport<T extends McpTransport>(
  transport: T,
  options: GuardedConnectionOptions,
): T {
  return new GuardedClientTransport(transport, options).outer as T;
}

/** What the SDK says beside a message that it sends. */
interface SendOptions {
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly requestSignal?: AbortSignal | undefined;
}

/** A message on its way out, and whoever waits for it to be sent. */
class Sending {
  readonly message: JsonRpcMessage;
  readonly options: SendOptions;
  /** Ends the request, where the transport has a stream for each. */
  readonly abort = new AbortController();
  readonly sent: Promise<void>;
  readonly isRequest: boolean;
  /** Whether the inner transport has it. */
  isOut = false;
  resolve: () => void = () => {};
  reject: (error: unknown) => void = () => {};

  constructor(message: JsonRpcMessage, options: SendOptions) {
    this.message = message;
    this.options = options;
    this.isRequest = kindOf(message).kind === "request";
    this.sent = new Promise((resolve, reject) => {
      this.resolve = resolve;
      this.reject = reject;
    });
  }

  /** Whether this message is the client's own, as it was decided, and not one of ours on its occasion. */
  carries(message: JsonRpcMessage): boolean {
    return message.id === this.message.id && message.method === this.message.method;
  }
}

class GuardedClientTransport {
  readonly outer: McpTransport;
  readonly #inner: McpTransport & { readonly hasPerRequestStream?: boolean };
  readonly #wrapped: WrappedTransport<McpTransport>;
  readonly #connection: GuardedConnection;
  /** The requests that are not sent yet. */
  readonly #sending = new Map<JsonRpcId, Sending>();
  #closed = false;

  constructor(inner: McpTransport, options: GuardedConnectionOptions) {
    this.#inner = inner;
    const describe = options?.describe;
    const forOptions = (extra: unknown) => (extra instanceof Sending ? extra.options : undefined);
    const described =
      typeof describe === "function"
        ? {
            describe: (request: Parameters<typeof describe>[0]) =>
              describe({ ...request, extra: forOptions(request.extra) }),
          }
        : {};
    this.#connection = new GuardedConnection(
      { ...options, ...described },
      {
        toClient: (message, extra) => {
          if (own(message, "method") === undefined) this.#take(message.id)?.resolve();
          this.#wrapped.deliver(message, extra);
        },
        toServer: (message, extra) => this.#toServer(message, extra),
        failed: (id, error) => this.#take(id)?.reject(error),
      },
    );
    this.#wrapped = new WrappedTransport(inner, {
      send: (message, sendOptions) => this.#send(message, Object(sendOptions)),
      received: (message, extra) => this.#connection.fromServer(message, extra),
      closed: () => void this.#close(),
      closing: () => this.#close(),
    });
    this.outer = this.#wrapped.outer;
  }

  /** It resolves when the message has been sent, or need not be. */
  #send(message: JsonRpcMessage, options: SendOptions): Promise<void> {
    if (this.#closed) return Promise.reject(new Error("The transport is closed."));
    const sending = new Sending(message, options);
    if (sending.isRequest) {
      this.#sending.set(message.id as JsonRpcId, sending);
      const cancel = (): void => this.#cancel(message.id as JsonRpcId);
      options.requestSignal?.addEventListener("abort", cancel, { signal: sending.abort.signal });
    }
    if (message.method === "notifications/cancelled") {
      this.#take(own(message.params, "requestId"))?.resolve();
    }
    this.#connection.fromClient(message, sending);
    // What is neither sent nor waiting to be is not passed on at all.
    if (!sending.isRequest && !sending.isOut) sending.resolve();
    return sending.sent;
  }

  /** The SDK has given a request up by ending its stream, which is all that the server is to hear of it. */
  #cancel(id: JsonRpcId): void {
    this.#take(id)?.resolve();
    this.#connection.fromClient(cancellation(id, "The client gave up."), undefined);
  }

  #toServer(message: JsonRpcMessage, extra: unknown): void {
    if (!(extra instanceof Sending)) return;
    if (extra.carries(message)) {
      extra.isOut = true;
      const failed = (error: unknown): void => {
        if (extra.isRequest) this.#connection.failed(message.id, error);
        else extra.reject(error);
      };
      this.#inner.send(message, this.#optionsFor(message, extra)).then(() => {
        if (extra.isRequest) this.#take(message.id);
        extra.resolve();
      }, failed);
    } else if (message.method === "notifications/cancelled" && this.#endsByStream(extra)) {
      extra.abort.abort();
    } else {
      this.#inner.send(message).catch((error) => this.#connection.failed(message.id, error));
    }
  }

  /** Whether a request ends when its stream does, which is how the revision of 2026-07-28 cancels over HTTP. */
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
    const name = own(message.params, "name");
    const schema = this.#connection.definition(name as string)?.["inputSchema"];
    const decided = paramHeaders(headers, schema, own(message.params, "arguments"));
    return { ...options, ...ending, headers: decided };
  }

  #take(id: unknown): Sending | undefined {
    const sending = this.#sending.get(id as JsonRpcId);
    this.#sending.delete(id as JsonRpcId);
    return sending;
  }

  async #close(): Promise<void> {
    this.#closed = true;
    for (const id of [...this.#sending.keys()]) {
      this.#take(id)?.reject(new Error("The transport is closed."));
    }
    await this.#connection.close();
  }
}
