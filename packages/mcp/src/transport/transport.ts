import type { JsonRpcMessage } from "../message/json-rpc.js";

/** Takes a message. A method's parameters are compared both ways, so that each SDK line's own message type fits. */
export type Listener = {
  listen(message: JsonRpcMessage, extra?: unknown): void;
}["listen"];

/** The members that transports of both SDK lines have. */
export interface McpTransport {
  start(): Promise<void>;
  send(message: JsonRpcMessage, options?: unknown): Promise<void>;
  close(): Promise<void>;
  onclose?: (() => void) | undefined;
  onerror?: ((error: Error) => void) | undefined;
  onmessage?: Listener | undefined;
}

/** The part of a transport that its guards replace. */
export interface GuardedSide {
  readonly send: (message: JsonRpcMessage, options?: unknown) => Promise<void>;
  /** Takes a message that has come in. */
  readonly received: Listener;
  /** Called when the inner transport has closed. */
  readonly closed: () => void;
  /** Called before the inner transport is closed. */
  readonly closing: () => Promise<void>;
}

/**
 * The inner transport, except for the messages that come in and go out.
 *
 * Its `onmessage` is exactly what the SDK has set: version 2 reads it, puts a
 * listener of its own in front, and sets it again.
 */
export class WrappedTransport<T extends McpTransport> {
  readonly outer: T;
  readonly #inner: T;
  readonly #own: Map<PropertyKey, unknown>;

  constructor(inner: T, guarded: GuardedSide) {
    this.#inner = inner;
    this.#own = new Map<PropertyKey, unknown>([
      ["onmessage", inner.onmessage],
      ["onclose", inner.onclose],
      ["send", guarded.send],
      [
        "close",
        async () => {
          await guarded.closing();
          await inner.close();
        },
      ],
    ]);
    inner.onmessage = guarded.received;
    inner.onclose = () => {
      guarded.closed();
      (this.#own.get("onclose") as (() => void) | undefined)?.();
    };
    this.outer = this.#proxy();
  }

  /** Hand a message to the SDK's listener. */
  deliver(message: JsonRpcMessage, extra: unknown): void {
    (this.#own.get("onmessage") as Listener | undefined)?.(message, extra);
  }

  #proxy(): T {
    const own = this.#own;
    const inner = this.#inner as unknown as Record<PropertyKey, unknown>;
    const methods = new Map<unknown, unknown>();
    // The target is empty, and its prototype is the inner transport: `instanceof` holds, and no property is fixed.
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
