import type { JsonRpcMessage } from "../message/json-rpc.js";

/**
 * One message of the client's, with all that its transport knows about it.
 *
 * A transport gives it to `fromClient()` as `extra`. The connection hands it
 * back with everything that comes of the message, so that no transport has to
 * look up which exchange a message belongs to.
 */
export class Exchange {
  /** The message as the connection was given it. */
  message: JsonRpcMessage;
  /** True once the server was sent the message. */
  isSent = false;

  constructor(message: JsonRpcMessage) {
    this.message = message;
  }

  /** Lets go of what the message says, once it was sent: its answer may be long in coming. */
  forget(): void {
    const { jsonrpc, id, method } = this.message;
    this.message = { jsonrpc, id, method };
  }

  /** True if a message for the server is this one, judged, and not one that the connection adds. */
  isFor({ id, method }: JsonRpcMessage): boolean {
    return !this.isSent && id === this.message.id && method === this.message.method;
  }
}
