import type { JsonRpcMessage } from "../connection/json-rpc.js";

/** What either SDK's transports have in common. */
export interface McpTransport {
  start(): Promise<void>;
  // biome-ignore lint/suspicious/noExplicitAny: each SDK line has options of its own, and its own type of messages.
  send(message: any, options?: any): Promise<void>;
  close(): Promise<void>;
  onclose?: (() => void) | undefined;
  onerror?: ((error: Error) => void) | undefined;
  // biome-ignore lint/suspicious/noExplicitAny: as above.
  onmessage?: ((message: any, extra?: any) => void) | undefined;
}

export type Listener = (message: JsonRpcMessage, extra?: unknown) => void;

/** What a guarded transport does itself. */
export interface TransportParts {
  readonly send: (message: JsonRpcMessage, options?: unknown) => Promise<void>;
  /** A message has come in. */
  readonly received: Listener;
  /** The inner transport has closed. */
  readonly closed: () => void;
  /** Before the inner transport is closed. */
  readonly closing: () => Promise<void>;
}

/**
 * A transport that is the inner one in all but what comes in and goes out.
 *
 * Its `onmessage` is what the SDK has set, and nothing of ours: version 2 reads
 * it, puts a listener of its own in front, and sets it again.
 */
export class WrappedTransport<T extends McpTransport> {
  readonly outer: T;
  readonly #inner: T;
  readonly #own: Map<PropertyKey, unknown>;

  constructor(inner: T, parts: TransportParts) {
    this.#inner = inner;
    this.#own = new Map<PropertyKey, unknown>([
      ["onmessage", inner.onmessage],
      ["onclose", inner.onclose],
      ["send", parts.send],
      [
        "close",
        async () => {
          await parts.closing();
          await inner.close();
        },
      ],
    ]);
    inner.onmessage = parts.received;
    inner.onclose = () => {
      parts.closed();
      (this.#own.get("onclose") as (() => void) | undefined)?.();
    };
    this.outer = this.#proxy();
  }

  /** Hand a message to whoever listens. */
  deliver(message: JsonRpcMessage, extra: unknown): void {
    (this.#own.get("onmessage") as Listener | undefined)?.(message, extra);
  }

  #proxy(): T {
    const own = this.#own;
    const inner = this.#inner as unknown as Record<PropertyKey, unknown>;
    const methods = new Map<unknown, unknown>();
    // The target is empty, and has the inner transport for a prototype: it is of its class, and nothing of it is fixed.
    return new Proxy(Object.create(inner) as T, {
      get(_, key) {
        if (own.has(key)) return own.get(key);
        const value = inner[key];
        if (typeof value !== "function" || key === "constructor") return value;
        if (!methods.has(value)) methods.set(value, value.bind(inner));
        return methods.get(value);
      },
      set(_, key, value) {
        if (own.has(key)) own.set(key, value);
        else inner[key] = value;
        return true;
      },
      has: (_, key) => key in inner,
      deleteProperty(_, key) {
        if (own.has(key)) own.set(key, undefined);
        else delete inner[key];
        return true;
      },
    });
  }
}
