import { type Clock, checkOptions, ToolRunner } from "@toolstile/core";
import { Call, type CallSettings } from "./call.js";
import {
  checkOptionValues,
  connectionOptions,
  type GuardedConnectionOptions,
} from "./connection-options.js";
import { ListGuards } from "./hidden.js";
import { factsOf } from "./host-facts.js";
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
import { PrivateRequests } from "./private-requests.js";
import { type PendingRequest, Requests } from "./requests.js";
import { ServerTools } from "./server-tools.js";

export type { GuardedConnectionOptions } from "./connection-options.js";

/** Where the messages go that have been judged, or need not be. */
export interface ConnectionPorts {
  /**
   * A message for the client: an answer of our own, or one of the server's, judged.
   *
   * @param extra what the server's message came with.
   */
  toClient(message: JsonRpcMessage, extra?: unknown): void;
  /**
   * A message for the server: the client's, judged, or a request of our own.
   *
   * @param extra what the client's message came with; for one of our own, what the client's came with that occasioned it.
   */
  toServer(message: JsonRpcMessage, extra?: unknown): void;
  /** A request of which `failed()` was told. Without it the client is answered by an error. */
  failed?(id: JsonRpcId, error: unknown): void;
}

/**
 * Judges the messages of one MCP connection; what carries them is its owner's.
 *
 * Calls of tools and lists of tools are judged; everything else is passed on as
 * it is, at once. A response that answers no open request of the client's is
 * dropped: some clients would take it for another's.
 *
 * Closing it settles what is open. The guards and observers are their owner's,
 * to be closed when the last connection is.
 *
 * @throws ToolstileError as `ToolRunner` does.
 */
export class GuardedConnection {
  readonly #ports: ConnectionPorts;
  readonly #calls: CallSettings;
  readonly #requests: Requests;
  readonly #private: PrivateRequests;
  readonly #tools: ServerTools;
  readonly #listGuards: ListGuards;
  readonly #options: GuardedConnectionOptions;
  readonly #running = new Set<Promise<void>>();
  #closed = false;

  constructor(options: GuardedConnectionOptions, ports: ConnectionPorts) {
    checkOptions("GuardedConnection", options, connectionOptions);
    // Without a prototype, an option that was not given cannot come from anywhere else.
    const given: GuardedConnectionOptions = Object.assign(Object.create(null), options);
    const { serverName, describe, callTimeoutMs = 60_000, pins, hideDenied, ...rest } = given;
    checkOptionValues(given);
    this.#options = given;
    this.#ports = ports;
    const clock = given.clock ?? systemTimers;
    const { toClient, toServer } = this.#guardedPorts();
    this.#requests = new Requests(given.maxOpenCalls ?? 100_000);
    this.#private = new PrivateRequests(toServer, clock, callTimeoutMs);
    this.#tools = new ServerTools({
      pins,
      serverName,
      ask: (params, occasion) => this.#private.ask("tools/list", params, occasion),
      report: (phase, error) => this.#report(phase, error),
    });
    const { guardrails } = rest;
    // Anything but a list is for the runner to refuse.
    const all = Array.isArray(guardrails) ? [this.#tools.guardrail, ...guardrails] : guardrails;
    const runner = new ToolRunner({ ...rest, guardrails: all });
    this.#tools.runner = runner;
    this.#listGuards = new ListGuards(hideDenied === false ? [] : guardrails);
    this.#calls = {
      runner,
      tools: this.#tools,
      requests: this.#requests,
      clock,
      callTimeoutMs,
      describe,
      serverName,
      judgesResults: guardrails.some((guard) => guard.evaluateResult !== undefined),
      toClient,
      toServer,
      failed: (id, error) => this.#failed(id, error),
    };
  }

  /**
   * Take a message of the client's. It never throws.
   *
   * @param extra what the transport says beside it: handed to `describe` and, with the message, to `toServer`.
   */
  fromClient(message: JsonRpcMessage | readonly JsonRpcMessage[], extra?: unknown): void {
    for (const each of Array.isArray(message) ? batch(message) : [message]) {
      if (this.#closed) return;
      try {
        this.#fromClient(each as JsonRpcMessage, extra);
      } catch (error) {
        this.#report("fromClient", error);
      }
    }
  }

  /** Take a message of the server's. It never throws. @param extra handed to `toClient` with it. */
  fromServer(message: JsonRpcMessage | readonly JsonRpcMessage[], extra?: unknown): void {
    for (const each of Array.isArray(message) ? batch(message) : [message]) {
      if (this.#closed) return;
      try {
        this.#fromServer(each as JsonRpcMessage, extra);
      } catch (error) {
        this.#report("fromServer", error);
      }
    }
  }

  /** A request, the client's or one of our own, could not be sent to the server. */
  failed(id: unknown, error: unknown): void {
    if (this.#private.isOurs(id)) this.#private.failed(id, error);
    else this.#requests.get(id)?.failed(error);
  }

  /** Settle what is open; nobody is answered any more. */
  async close(_reason?: unknown): Promise<void> {
    this.#closed = true;
    for (const request of this.#requests.all()) request.cancelled();
    this.#private.close();
    await Promise.all(this.#running);
  }

  #fromClient(message: JsonRpcMessage, extra: unknown): void {
    const { toClient, toServer } = this.#calls;
    const read = kindOf(message);
    switch (read.kind) {
      case "request":
        this.#request(read.id, read.method, message, extra);
        return;
      case "notification":
        if (read.method === "notifications/cancelled") {
          this.#cancel(message, extra);
          return;
        }
        // Nobody could be told what became of it, and a server might run it all the same.
        if (isTaskOrCall(read.method)) throw new TypeError(`${read.method} without an id`);
        toServer(message, extra);
        return;
      case "response":
        toServer(message, extra);
        return;
      default:
        toClient(errorMessage(read.id, rpcCodes.invalidRequest, "Not one JSON-RPC message."));
    }
  }

  #request(id: JsonRpcId, method: string, message: JsonRpcMessage, extra: unknown): void {
    const { toClient, toServer } = this.#calls;
    const refuse = (code: number, reason: string): void => toClient(errorMessage(id, code, reason));
    if (this.#requests.isTaken(id) || this.#private.isOurs(id)) {
      refuse(rpcCodes.invalidRequest, "The id is that of a request that is still under way.");
    } else if (this.#requests.full) {
      refuse(rpcCodes.internal, "Too many requests are under way.");
    } else if (method.startsWith("tasks/") && method !== "tasks/cancel") {
      // Its answer is a tool's result that no guard has seen the call of.
      refuse(rpcCodes.methodNotFound, "Tasks cannot be judged, and are not passed on.");
    } else if (method === "tools/call") {
      const call = new Call(this.#calls, id, message, extra);
      this.#requests.add(id, call);
      this.#run(call.run());
    } else if (method === "tools/list") {
      this.#requests.add(id, this.#list(id, message, extra));
      toServer(message, extra);
    } else {
      this.#requests.add(id, new PassedRequest(id, this.#calls));
      toServer(message, extra);
    }
  }

  #list(id: JsonRpcId, message: JsonRpcMessage, extra: unknown): PendingRequest {
    const { describe, serverName } = this.#options;
    const params = own(message, "params");
    const facts = factsOf(describe, { params, meta: own(params, "_meta"), extra }, serverName);
    return new ListRequest(
      id,
      { params, extra },
      {
        tools: this.#tools,
        requests: this.#requests,
        isHidden: (tool) => this.#listGuards.refuse(tool, facts),
        run: (work) => this.#run(work),
        toClient: this.#calls.toClient,
        failed: this.#calls.failed,
      },
    );
  }

  #cancel(message: JsonRpcMessage, extra: unknown): void {
    const request = this.#requests.get(own(own(message, "params"), "requestId"));
    // Of what the server has not heard, it need not be told that nobody wants it.
    if (request === undefined || request.cancelled()) this.#calls.toServer(message, extra);
  }

  #fromServer(message: JsonRpcMessage, extra: unknown): void {
    const read = kindOf(message);
    switch (read.kind) {
      case "response":
        this.#response(read.id, message, extra);
        return;
      case "invalid":
        throw new TypeError("The server sent what is not one JSON-RPC message.");
      case "notification":
        if (read.method === "notifications/tools/list_changed") this.#tools.changed();
        this.#calls.toClient(message, extra);
        return;
      default:
        this.#calls.toClient(message, extra);
    }
  }

  #response(id: unknown, message: JsonRpcMessage, extra: unknown): void {
    if (this.#private.isOurs(id)) {
      this.#private.answered(id, message);
      return;
    }
    const request = this.#requests.get(id);
    if (request !== undefined) {
      request.answered(message, extra);
      return;
    }
    if (this.#requests.isLate(id)) return;
    // An error of no request in particular. A client that counts from 0 may read null as its first id.
    if (id === null && Object.hasOwn(message, "error") && !this.#requests.isTaken(0)) {
      this.#calls.toClient(message, extra);
      return;
    }
    throw new TypeError("The server answered a request that is not open.");
  }

  #failed(id: JsonRpcId, error: unknown): void {
    if (this.#closed) return;
    if (this.#ports.failed !== undefined) this.#ports.failed(id, error);
    else {
      const message = "The request could not be sent to the server.";
      this.#ports.toClient(errorMessage(id, rpcCodes.internal, message));
    }
  }

  #run(work: Promise<void>): void {
    const running = work.then(
      () => void this.#running.delete(running),
      (error) => {
        this.#running.delete(running);
        this.#report("tools/call", error);
      },
    );
    this.#running.add(running);
  }

  /** Nothing is sent once the connection is closed. */
  #guardedPorts() {
    return {
      toClient: (message: JsonRpcMessage, extra?: unknown): void => {
        if (!this.#closed) this.#ports.toClient(message, extra);
      },
      toServer: (message: JsonRpcMessage, extra?: unknown): void => {
        if (!this.#closed) this.#ports.toServer(message, extra);
      },
    };
  }

  #report(phase: string, error: unknown): void {
    try {
      const told: unknown = this.#options.onFault?.({ source: "mcp", phase, error });
      Promise.resolve(told).catch(() => {});
    } catch {
      // Whoever listens changes nothing.
    }
  }
}

const systemTimers: Pick<Clock, "setTimeout" | "clearTimeout"> = {
  setTimeout: (callback, milliseconds) => setTimeout(callback, milliseconds),
  clearTimeout: (timer) => clearTimeout(timer),
};

function isTaskOrCall(method: string): boolean {
  return method === "tools/call" || method.startsWith("tasks/");
}

/** An empty batch is not a message, and neither is one in another. */
function batch(messages: readonly unknown[]): readonly unknown[] {
  return messages.length === 0 ? [undefined] : messages;
}
