import { type Clock, checkOptions, ToolRunner, tellOfFault } from "@toolstile/core";
import { ClientMessages } from "./client-messages.js";
import {
  checkOptionValues,
  connectionOptions,
  type GuardedConnectionOptions,
} from "./connection-options.js";
import { factsFrom } from "./host-facts.js";
import { errorMessage, type JsonRpcId, type JsonRpcMessage, rpcCodes } from "./json-rpc.js";
import { PrivateRequests } from "./private-requests.js";
import { Requests } from "./requests.js";
import { ServerMessages } from "./server-messages.js";
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
  readonly #client: ClientMessages;
  readonly #server: ServerMessages;
  readonly #requests: Requests;
  readonly #private: PrivateRequests;
  readonly #tools: ServerTools;
  readonly #options: GuardedConnectionOptions;
  readonly #running = new Set<Promise<void>>();
  #closed = false;

  /** @param sessionId names the session for the guards of a host that describes no calls. */
  constructor(options: GuardedConnectionOptions, ports: ConnectionPorts, sessionId?: string) {
    checkOptions("GuardedConnection", options, connectionOptions);
    // Without a prototype, an option that was not given cannot come from anywhere else.
    const given: GuardedConnectionOptions = Object.assign(Object.create(null), options);
    const { serverName, describe, callTimeoutMs = 60_000, pins, hideDenied, ...rest } = given;
    checkOptionValues(given);
    this.#options = given;
    this.#ports = ports;
    const clock = given.clock ?? systemTimers;
    const { toClient, toServer } = this.#openPorts();
    this.#requests = new Requests(given.maxOpenCalls ?? 100_000);
    this.#private = new PrivateRequests(toServer, clock, callTimeoutMs);
    const tools = new ServerTools({
      pins,
      serverName,
      ask: (params, occasion) => this.#private.ask("tools/list", params, occasion),
      report: (phase, error) => this.#report(phase, error),
    });
    const { guardrails } = rest;
    // Anything but a list is for the runner to refuse.
    const all = Array.isArray(guardrails) ? [tools.guardrail, ...guardrails] : guardrails;
    this.#tools = tools;
    const runner = new ToolRunner({ ...rest, guardrails: all });
    tools.runner = runner;
    const passing = { requests: this.#requests, privateRequests: this.#private, tools, toClient };
    const fixesAnswers =
      guardrails.some((guard) => guard.evaluateResult !== undefined) ||
      (rest.observers ?? []).length > 0 ||
      rest.receiptSigner !== undefined;
    const failed = (id: JsonRpcId, error: unknown): void => this.#failed(id, error);
    const factsOf = factsFrom(describe, serverName, sessionId);
    const calling = { runner, clock, callTimeoutMs, factsOf, fixesAnswers };
    this.#server = new ServerMessages(passing);
    this.#client = new ClientMessages({
      calls: { ...passing, ...calling, toServer, failed },
      privateRequests: this.#private,
      hidesDenied: hideDenied !== false,
      run: (work) => this.#run(work),
    });
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
        this.#client.take(each as JsonRpcMessage, extra);
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
        this.#server.take(each as JsonRpcMessage, extra);
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

  /** A tool as the server listed it and the guards know it; nothing for one that was not listed yet. */
  definition(toolName: string): Readonly<Record<string, unknown>> | undefined {
    return this.#tools.definition(toolName);
  }

  /** Settle what is open; nobody is answered any more. */
  async close(_reason?: unknown): Promise<void> {
    this.#closed = true;
    for (const request of this.#requests.all()) request.cancelled();
    this.#private.close();
    await Promise.all(this.#running);
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
  #openPorts() {
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
    tellOfFault(this.#options.onFault, { source: "mcp", phase, error });
  }
}

const systemTimers: Pick<Clock, "setTimeout" | "clearTimeout"> = {
  setTimeout: (callback, milliseconds) => setTimeout(callback, milliseconds),
  clearTimeout: (timer) => clearTimeout(timer),
};

/** An empty batch is not a message, and neither is one in another. */
function batch(messages: readonly unknown[]): readonly unknown[] {
  return messages.length === 0 ? [undefined] : messages;
}
