import type { ToolDefinition } from "@toolstile/core";
import { Call, type CallSettings } from "./call.js";
import {
  errorMessage,
  type JsonRpcId,
  type JsonRpcMessage,
  kindOf,
  own,
  rpcCodes,
} from "./json-rpc.js";
import { ListRequest } from "./list-request.js";
import { PassedRequest } from "./passed-request.js";
import type { PrivateRequests } from "./private-requests.js";

interface ClientSettings {
  readonly calls: CallSettings;
  readonly privateRequests: PrivateRequests;
  /** Whether tools that are denied whatever their arguments are left off lists. */
  readonly hidesDenied: boolean;
  /** Keep count of what is under way. */
  readonly run: (work: Promise<void>) => void;
}

/** What becomes of the client's messages. */
export class ClientMessages {
  readonly #settings: ClientSettings;

  constructor(settings: ClientSettings) {
    this.#settings = settings;
  }

  /** @throws for what nobody can be told of. */
  take(message: JsonRpcMessage, extra: unknown): void {
    const { toClient, toServer } = this.#settings.calls;
    const read = kindOf(message);
    switch (read.kind) {
      case "request":
        this.#request(read.id, read.method, message, extra);
        return;
      case "notification":
        if (read.method === "notifications/cancelled") this.#cancel(message, extra);
        else if (isTaskOrCall(read.method)) {
          // Nobody could be told what became of it, and a server might run it all the same.
          throw new TypeError("The client called a tool without an id.");
        } else toServer(message, extra);
        return;
      case "response":
        toServer(message, extra);
        return;
      default:
        toClient(errorMessage(read.id, rpcCodes.invalidRequest, "Not one JSON-RPC message."));
    }
  }

  #request(id: JsonRpcId, method: string, message: JsonRpcMessage, extra: unknown): void {
    const { calls, privateRequests, run } = this.#settings;
    const { requests, toClient, toServer } = calls;
    const refuse = (code: number, reason: string): void => toClient(errorMessage(id, code, reason));
    if (requests.isTaken(id) || privateRequests.isOurs(id)) {
      refuse(rpcCodes.invalidRequest, "The id is that of a request that is still under way.");
    } else if (requests.full) {
      refuse(rpcCodes.internal, "Too many requests are under way.");
    } else if (method.startsWith("tasks/") && method !== "tasks/cancel") {
      // It would be answered by a tool's result, to a call that no guard has seen.
      refuse(rpcCodes.methodNotFound, "Tasks cannot be judged, and are not passed on.");
    } else if (method === "tools/call") {
      const call = new Call(calls, id, message, extra);
      requests.add(id, call);
      run(call.run());
    } else {
      const isList = method === "tools/list";
      requests.add(id, isList ? this.#list(id, message, extra) : new PassedRequest(id, calls));
      toServer(message, extra);
    }
  }

  #list(id: JsonRpcId, message: JsonRpcMessage, extra: unknown): ListRequest {
    const { calls, hidesDenied, run } = this.#settings;
    const { runner, factsOf, tools, requests, toClient, failed } = calls;
    const params = own(message, "params");
    const { agentName, context } = factsOf({ params, meta: own(params, "_meta"), extra });
    const isHidden = ({ name }: ToolDefinition): boolean =>
      hidesDenied && runner.denialOf(name, { agentName, context }) !== undefined;
    const settings = { tools, requests, isHidden, run, toClient, failed };
    return new ListRequest(id, { params, extra }, settings);
  }

  #cancel(message: JsonRpcMessage, extra: unknown): void {
    const { requests, toServer } = this.#settings.calls;
    const request = requests.get(own(own(message, "params"), "requestId"));
    // Of what the server has not heard, it need not be told that nobody wants it.
    if (request === undefined || request.cancelled()) toServer(message, extra);
  }
}

function isTaskOrCall(method: string): boolean {
  return method === "tools/call" || method.startsWith("tasks/");
}
