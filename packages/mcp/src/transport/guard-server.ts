import { ToolstileError } from "@toolstile/core";
import {
  GuardedConnection,
  type GuardedConnectionOptions,
} from "../connection/guarded-connection.js";
import type { JsonRpcMessage } from "../connection/json-rpc.js";
import { type McpTransport, WrappedTransport } from "./transport.js";

/** What either SDK's servers have in common: an `McpServer` has the `Server` that it stands on. */
export interface GuardableServer {
  // biome-ignore lint/suspicious/noExplicitAny: each SDK line has a type of its own for transports.
  connect(transport: any): Promise<void>;
  readonly server?: object | undefined;
}

/**
 * Put guards on a server of your own, of either SDK line, on whichever transport it is connected to.
 *
 * Call it before the server is connected; it is the same server that comes
 * back. Guards see arguments as the client sent them, before the server checks
 * them. Where each HTTP request makes a server of its own, guard each, with one
 * set of guards. They and the observers are yours to close.
 *
 * @throws ToolstileError as `ToolRunner` does.
 */
export function guardServer<S extends GuardableServer>(
  server: S,
  options: GuardedConnectionOptions,
): S {
  const base = (server?.server ?? server) as GuardableServer & { readonly transport?: unknown };
  if (typeof base?.connect !== "function") {
    throw new ToolstileError("ERR_INVALID_OPTION", "guardServer() takes a server of an MCP SDK.");
  }
  if (base.transport !== undefined) {
    throw new ToolstileError(
      "ERR_INVALID_OPTION",
      "guardServer() takes a server that is not connected yet: what is under way would go past the guards.",
    );
  }
  // What is wrong with the options is said now, and not when the first client comes.
  new GuardedConnection(options, { toClient() {}, toServer() {} });
  const connect = base.connect.bind(base);
  base.connect = (transport: McpTransport) => connect(guardedTransport(transport, options));
  return server;
}

/** A message of the server's on its way out. */
interface Sending {
  readonly options: unknown;
  sent: Promise<void> | undefined;
  /** Whether somebody else waits for it to be sent. */
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
  });
  const close = (): Promise<void> => connection.close();
  const wrapped: WrappedTransport<McpTransport> = new WrappedTransport(inner, {
    // What is judged first is sent later: the SDK need not wait for it.
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
