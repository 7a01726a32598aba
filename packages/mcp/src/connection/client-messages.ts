import { ownValue } from "@toolstile/core/provider";
import {
  errorMessage,
  type JsonRpcId,
  type JsonRpcMessage,
  kindOf,
  rpcCodes,
} from "../message/json-rpc.js";
import type { PassedMethods } from "../message/methods.js";
import { Call, type CallSettings } from "./call.js";
import { ListRequest } from "./list-request.js";
import { PassedRequest } from "./passed-request.js";

interface ClientSettings extends CallSettings {
  /** True if tools that are denied whatever their arguments are left off lists. */
  readonly hidesDenied: boolean;
  readonly methods: PassedMethods;
  /** A list's answer that cannot change while it is judged. */
  readonly fixedList: (answer: JsonRpcMessage) => JsonRpcMessage;
  /** Keeps count of what is under way. */
  readonly run: (work: Promise<void>) => void;
  /** Tells the transport that a request gets no answer any more. */
  readonly cancelled: (request: unknown) => void;
}

/** Takes the client's messages: each is passed on, judged first, or refused. */
export class ClientMessages {
  readonly #settings: ClientSettings;

  constructor(settings: ClientSettings) {
    this.#settings = settings;
  }

  /** @throws for a message whose sender cannot be told what became of it. */
  take(message: JsonRpcMessage, extra: unknown): void {
    const { toClient, toServer, methods } = this.#settings;
    const read = kindOf(message);
    switch (read.kind) {
      case "request":
        this.#request(read.id, read.method, message, extra);
        return;
      case "notification":
        if (read.method === "notifications/cancelled") this.#cancel(message, extra);
        else if (!methods.ofClient(read.method) || read.method === "tools/call") {
          // Without an id it cannot be answered, and a server might run it all the same.
          throw new TypeError("The client sent a notification that cannot be judged.");
        } else toServer(message, extra);
        return;
      case "response":
        toServer(message, extra);
        return;
      default: {
        const error = errorMessage(read.id, rpcCodes.invalidRequest, "Not one JSON-RPC message.");
        toClient(error, undefined, extra);
      }
    }
  }

  #request(id: JsonRpcId, method: string, message: JsonRpcMessage, extra: unknown): void {
    const { requests, run, toClient, toServer, methods } = this.#settings;
    const refuse = (code: number, reason: string): void =>
      toClient(errorMessage(id, code, reason), undefined, extra);
    if (requests.isTaken(id)) {
      refuse(rpcCodes.invalidRequest, "The id is that of a request that is still under way.");
    } else if (requests.isFull) {
      refuse(rpcCodes.internal, "Too many requests are under way.");
    } else if (!methods.ofClient(method)) {
      refuse(rpcCodes.methodNotFound, "The method cannot be judged, and is not passed on.");
    } else {
      const token = ownValue(ownValue(ownValue(message, "params"), "_meta"), "progressToken");
      if (method === "tools/call") {
        const call = new Call(this.#settings, id, message, extra);
        requests.add(id, call, token);
        run(call.run());
        return;
      }
      const isList = method === "tools/list";
      const request = isList
        ? this.#list(id, message, extra)
        : new PassedRequest(id, extra, this.#settings);
      requests.add(id, request, token);
      toServer(message, extra);
    }
  }

  #list(id: JsonRpcId, message: JsonRpcMessage, extra: unknown): ListRequest {
    const { runner, factsOf, hidesDenied, fixedList: fixed, ...settings } = this.#settings;
    const params = ownValue(message, "params");
    const { agentName, context } = factsOf({ params, meta: ownValue(params, "_meta"), extra });
    const denialOf = hidesDenied ? runner.denials({ agentName, context }) : undefined;
    const isHidden = (name: string): boolean => denialOf?.(name) !== undefined;
    return new ListRequest(id, { params, extra }, { ...settings, isHidden, fixed });
  }

  #cancel(message: JsonRpcMessage, extra: unknown): void {
    const { requests, toServer, cancelled } = this.#settings;
    const request = requests.get(ownValue(ownValue(message, "params"), "requestId"));
    // The server need not be told of a request that it never had.
    if (request === undefined || request.cancelled()) toServer(message, extra);
    if (request !== undefined) cancelled(request.extra);
  }
}
