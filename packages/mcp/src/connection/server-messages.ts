import { ownValue } from "@toolstile/core/provider";
import { errorMessage, type JsonRpcMessage, kindOf, rpcCodes } from "../message/json-rpc.js";
import type { PassedMethods } from "../message/methods.js";
import type { ServerTools } from "../tools/server-tools.js";
import type { OpenRequests } from "./open-requests.js";

export interface ServerSettings {
  readonly requests: OpenRequests;
  readonly tools: ServerTools;
  readonly toClient: (message: JsonRpcMessage, extra?: unknown) => void;
  readonly methods: PassedMethods;
  /** Answers a request of the server's that is not passed on. */
  readonly refused: (answer: JsonRpcMessage, extra: unknown) => void;
}

const notPassed = "The method cannot be judged, and is not passed on.";

/** Takes one message of the server's. @throws for a message that is dropped. */
export function takeFromServer(
  message: JsonRpcMessage,
  extra: unknown,
  { requests, tools, toClient, methods, refused }: ServerSettings,
): void {
  const read = kindOf(message);
  switch (read.kind) {
    case "response": {
      const { id } = read;
      const request = requests.get(id);
      if (request !== undefined) request.answered(message, extra);
      // An error for no request in particular. A client that counts from 0 might read null as its first id.
      else if (id === null && Object.hasOwn(message, "error") && !requests.isTaken(0)) {
        toClient(message, extra);
      } else if (!requests.isLate(id)) {
        throw new TypeError("The server answered a request that is not open.");
      }
      return;
    }
    case "invalid":
      throw new TypeError("The server sent something that is not one JSON-RPC message.");
    case "notification":
      if (!methods.ofServer(read.method)) {
        throw new TypeError("The server sent a notification that cannot be judged.");
      }
      if (read.method === "notifications/tools/list_changed") tools.changed();
      if (read.method !== "notifications/progress") break;
      if (!requests.isInProgress(ownValue(message.params, "progressToken"))) return;
      break;
    case "request":
      if (methods.ofServer(read.method)) break;
      refused(errorMessage(read.id, rpcCodes.methodNotFound, notPassed), extra);
      throw new TypeError("The server sent a request that cannot be judged.");
    default:
  }
  toClient(message, extra);
}
