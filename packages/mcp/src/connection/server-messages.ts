import { type JsonRpcMessage, kindOf } from "./json-rpc.js";
import type { PrivateRequests } from "./private-requests.js";
import type { Requests } from "./requests.js";
import type { ServerTools } from "./server-tools.js";

interface ServerSettings {
  readonly requests: Requests;
  readonly privateRequests: PrivateRequests;
  readonly tools: ServerTools;
  readonly toClient: (message: JsonRpcMessage, extra?: unknown) => void;
}

/** What becomes of the server's messages. */
export class ServerMessages {
  readonly #settings: ServerSettings;

  constructor(settings: ServerSettings) {
    this.#settings = settings;
  }

  /** @throws for what is dropped. */
  take(message: JsonRpcMessage, extra: unknown): void {
    const read = kindOf(message);
    switch (read.kind) {
      case "response":
        this.#response(read.id, message, extra);
        return;
      case "invalid":
        throw new TypeError("The server sent what is not one JSON-RPC message.");
      case "notification":
        if (read.method === "notifications/tools/list_changed") this.#settings.tools.changed();
        break;
      default:
    }
    this.#settings.toClient(message, extra);
  }

  #response(id: unknown, message: JsonRpcMessage, extra: unknown): void {
    const { requests, privateRequests, toClient } = this.#settings;
    const request = requests.get(id);
    if (privateRequests.isOurs(id)) privateRequests.answered(id, message);
    else if (request !== undefined) request.answered(message, extra);
    else if (requests.isLate(id)) return;
    else if (id === null && Object.hasOwn(message, "error") && !requests.isTaken(0)) {
      // Of no request in particular. A client that counts from 0 might read null as its first id.
      toClient(message, extra);
    } else throw new TypeError("The server answered a request that is not open.");
  }
}
