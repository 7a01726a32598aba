import { ToolstileError } from "@toolstile/core";
import {
  GuardedConnection,
  type GuardedConnectionOptions,
} from "../connection/guarded-connection.js";
import type { JsonRpcMessage } from "../message/json-rpc.js";
import { type McpTransport, WrappedTransport } from "./transport.js";

/** The members that servers of both SDK lines have. */
export interface GuardableServer {
  connect(transport: McpTransport): Promise<void>;
  /** The `Server` inside an `McpServer`. */
  readonly server?: object | undefined;
}

/**
 * Put guards on a server of your own, of either SDK line, whatever transport it is connected to.
 *
 * Call it before the server is connected. It returns the same server. Guards
 * see arguments as the client sent them, before the server checks them. If each
 * HTTP request makes a server of its own, guard each of them, with one set of
 * guards. The guards and observers stay yours to close.
 *
 * @throws ToolstileError as `ToolRunner` does.
 */
export function guardServer<S extends GuardableServer>(
  server: S,
  options: GuardedConnectionOptions,
): S {
  const base = (server?.server ?? server) as GuardableServer & { readonly transport?: unknown };
  if (typeof base?.connect !== "function") {
    throw new ToolstileError(
      "ERR_INVALID_OPTION",
      `guardServer(): server must be a server of an MCP SDK, received ${typeof server}.`,
    );
  }
  if (base.transport !== undefined) {
    throw new ToolstileError(
      "ERR_INVALID_OPTION",
      "guardServer(): server must not be connected yet. Calls that are under way would not be guarded.",
    );
  }
  // Options that are not valid throw now, and not when the first client connects.
  new GuardedConnection(options, { toClient() {}, toServer() {} });
  const connect = base.connect.bind(base);
  base.connect = (transport: McpTransport) => connect(guardedTransport(transport, options));
  return server;
}

/** A message of the server's that the SDK sends. */
interface Sending {
  readonly options: unknown;
  sent: Promise<void> | undefined;
  /** True while the SDK's `send()` waits for it. */
  isAwaited: boolean;
}

function guardedTransport(inner: McpTransport, options: GuardedConnectionOptions): McpTransport {
  const connection = new GuardedConnection(options, {
    toClient(message, extra) {
      const sending = extra as Sending | undefined;
      const sent = inner.send(message, sending?.options);
      if (sending?.isAwaited === true) sending.sent = sent;
      else sent.catch((error) => wrapped.outer.onerror?.(error));
    },
    toServer: (message, extra) => wrapped.deliver(message, extra),
    refused: (answer) => wrapped.deliver(answer, undefined),
  });
  const close = (): Promise<void> => connection.close();
  const wrapped: WrappedTransport<McpTransport> = new WrappedTransport(inner, {
    // A message that is judged first is sent later, and the SDK does not wait for it.
    send: async (message: JsonRpcMessage, sendOptions: unknown) => {
      const sending: Sending = { options: sendOptions, sent: undefined, isAwaited: true };
      connection.fromServer(message, sending);
      sending.isAwaited = false;
      await sending.sent;
    },
    received: (message, extra) => connection.fromClient(message, extra),
    closed: () => void close(),
    closing: close,
  });
  return wrapped.outer;
}
