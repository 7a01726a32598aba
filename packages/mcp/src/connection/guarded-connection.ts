import { ToolRunner } from "@toolstile/core";
import { reportFault } from "@toolstile/core/host";
import { readOptions, systemClock } from "@toolstile/core/provider";
import {
  errorMessage,
  type JsonRpcId,
  type JsonRpcMessage,
  rpcCodes,
} from "../message/json-rpc.js";
import { PassedMethods } from "../message/methods.js";
import { ServerTools } from "../tools/server-tools.js";
import { ClientMessages } from "./client-messages.js";
import {
  connectionTable,
  type GuardedConnectionOptions,
  requireServerName,
} from "./connection-options.js";
import { factsFrom } from "./host-facts.js";
import { OpenRequests } from "./open-requests.js";
import { askServer } from "./own-request.js";
import { forRepeatedCalls, type RepeatedCalls } from "./repeated-calls.js";
import { type ServerSettings, takeFromServer } from "./server-messages.js";

export type { GuardedConnectionOptions } from "./connection-options.js";

/** Takes the messages that were judged, or that need not be. */
export interface ConnectionPorts {
  /**
   * A message for the client: the server's, judged, or an answer of the connection's own.
   *
   * @param extra the `extra` that the server's message came with.
   * @param request of an answer: the `extra` that the client's request came with.
   */
  toClient(message: JsonRpcMessage, extra?: unknown, request?: unknown): void;
  /**
   * A message for the server: the client's, judged, or one of the connection's own.
   *
   * @param extra the `extra` that the client's message came with; of the connection's own, that of the message that caused it.
   * @param over of a request of the connection's own: aborted once its answer is not waited for any more.
   */
  toServer(message: JsonRpcMessage, extra?: unknown, over?: AbortSignal): void;
  /** A request that `failed()` was called for. Without it, the client is answered with an error. */
  failed?(id: JsonRpcId, error: unknown, request?: unknown): void;
  /** A request that the client cancelled: it gets no answer. */
  cancelled?(request: unknown): void;
  /** An error for the server, whose own request was not passed on. @param extra the `extra` that the request came with. */
  refused?(answer: JsonRpcMessage, extra?: unknown): void;
}

/** A connection's messages, as their transport knows them. */
export interface ConnectionTransport {
  /** Names the session for guards, where the host describes no calls. */
  readonly sessionId?: string | undefined;
  /** The part of a message's `extra` that `describe` is given. Default all of it. */
  readonly extraOf?: ((extra: unknown) => unknown) | undefined;
  /** True if nothing else holds the server's messages, so that they are judged without a copy. */
  readonly ownsMessages?: boolean | undefined;
}

/**
 * Judges the messages of one MCP connection. Its owner carries them.
 *
 * Calls of tools and lists of tools are judged; everything else is passed on as
 * it is, at once. A response that answers no open request of the client's is
 * dropped: some clients would take it for the answer to another.
 *
 * Closing it settles what is open. The guards and observers belong to the
 * caller, who closes them after the last connection.
 *
 * @throws ToolstileError as `ToolRunner` does.
 */
export class GuardedConnection {
  readonly #ports: ConnectionPorts;
  readonly #client: ClientMessages;
  readonly #server: ServerSettings;
  readonly #onFault: GuardedConnectionOptions["onFault"];
  readonly #repeated: RepeatedCalls | undefined;
  readonly #running = new Set<Promise<void>>();
  #closed = false;
  /** The reason why nothing reaches the server any more. */
  #serverError: Error | undefined;

  constructor(
    options: GuardedConnectionOptions,
    ports: ConnectionPorts,
    { sessionId, extraOf = (extra) => extra, ownsMessages = false }: ConnectionTransport = {},
  ) {
    const given = readOptions("GuardedConnection", options, connectionTable);
    requireServerName("GuardedConnection", given);
    const { serverName, describe, callTimeoutMs, pins, hideDenied, passMethods, ...rest } = given;
    this.#onFault = given.onFault;
    this.#ports = ports;
    const clock = given.clock ?? systemClock;
    const requests = new OpenRequests(given.maxOpenCalls ?? 100_000);
    const { toClient, toServer, failed, cancelled } = this.#openPorts();
    const asking = { requests, toServer, clock, timeoutMs: callTimeoutMs };
    const tools = new ServerTools({
      pins,
      serverName,
      ask: (params, occasion) => askServer("tools/list", params, occasion, asking),
      report: (phase, error) => this.#report(phase, error),
      clock: given.clock,
    });
    const { guardrails, observers = [], receiptSigner, approver } = rest;
    this.#repeated = approver && forRepeatedCalls(approver);
    const runner = new ToolRunner({
      ...rest,
      guardrails: [tools.guardrail, ...guardrails],
      approver: this.#repeated?.approver,
    });
    tools.runner = runner;
    const methods = new PassedMethods(passMethods);
    const refused = (answer: JsonRpcMessage, extra: unknown): void =>
      this.#ports.refused?.(answer, extra);
    this.#server = { requests, tools, toClient, methods, refused };
    const isJudged = guardrails.some((guard) => guard.evaluateResult !== undefined);
    const isRead = isJudged || observers.length > 0 || receiptSigner !== undefined;
    // Guards take their time, and an in-process server still has the original.
    const fixed = ownsMessages ? same : copied;
    this.#client = new ClientMessages({
      ...{ requests, runner, tools, clock, callTimeoutMs, toClient, toServer, failed, cancelled },
      factsOf: factsFrom({ describe, serverName, sessionId, extraOf }),
      fixed: isRead ? fixed : same,
      fixedList: fixed,
      hidesDenied: hideDenied,
      methods,
      // Not shown where a receipt is given: it is of the content that its reader has.
      rest: isJudged ? (receiptSigner === undefined ? "show" : "drop") : "pass",
      run: (work) => this.#run(work),
    });
  }

  /**
   * Take a message of the client's. It never throws.
   *
   * @param extra facts of the transport beside it, for `describe`. It comes back with all that is done for this message.
   */
  fromClient(message: JsonRpcMessage | readonly JsonRpcMessage[], extra?: unknown): void {
    this.#each("fromClient", message, (each) => this.#client.take(each, extra));
  }

  /** Take a message of the server's. It never throws. @param extra given to `toClient` with it. */
  fromServer(message: JsonRpcMessage | readonly JsonRpcMessage[], extra?: unknown): void {
    this.#each("fromServer", message, (each) => takeFromServer(each, extra, this.#server));
  }

  /** True while an answer to this request, the client's or the connection's own, would be taken. */
  awaits(id: unknown): boolean {
    return this.#server.requests.get(id)?.isAwaited === true;
  }

  /** Fail a request, the client's or the connection's own: it could not be sent to the server. */
  failed(id: unknown, error: unknown): void {
    this.#server.requests.get(id)?.failed(error);
  }

  /** Fail all requests that wait for the server, now or later: it has ended. Resolves once the client has all answers. */
  async serverEnded(error: Error): Promise<void> {
    this.#serverError = error;
    for (const request of this.#server.requests.all()) request.failed(error);
    while (this.#running.size > 0) await Promise.all(this.#running);
  }

  /** Read the list of tools, in the name of a message of the client's, unless this tool is known. It never rejects. */
  know(toolName: string, message: JsonRpcMessage, extra: unknown): Promise<void> | undefined {
    return this.#server.tools.know(toolName, { params: message.params, extra });
  }

  /** A tool as the server listed it and the guards know it; `undefined` for one that was not listed yet. */
  definition(toolName: string): Readonly<Record<string, unknown>> | undefined {
    return this.#server.tools.definition(toolName);
  }

  /** Settle what is open, without another answer to the client, and take back what a human was asked about it. */
  async close(): Promise<void> {
    this.#closed = true;
    for (const request of this.#server.requests.all()) request.cancelled();
    await Promise.all(this.#running);
    try {
      await this.#repeated?.end();
    } catch (error) {
      this.#report("close", error);
    }
  }

  #each(
    phase: string,
    message: JsonRpcMessage | readonly JsonRpcMessage[],
    take: (message: JsonRpcMessage) => void,
  ): void {
    for (const each of Array.isArray(message) ? batch(message) : [message]) {
      if (this.#closed) return;
      try {
        take(each as JsonRpcMessage);
      } catch (error) {
        this.#report(phase, error);
      }
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

  /** The ports, until the connection is closed. */
  #openPorts() {
    return {
      toClient: (message: JsonRpcMessage, extra?: unknown, request?: unknown): void => {
        if (!this.#closed) this.#ports.toClient(message, extra, request);
      },
      toServer: (message: JsonRpcMessage, extra: unknown, over?: AbortSignal): void => {
        if (this.#closed) return;
        if (this.#serverError === undefined) this.#ports.toServer(message, extra, over);
        else if (message.method !== undefined) this.failed(message.id, this.#serverError);
      },
      failed: (id: JsonRpcId, error: unknown, request: unknown): void => {
        if (this.#closed) return;
        if (this.#ports.failed !== undefined) {
          this.#ports.failed(id, error, request);
          return;
        }
        const message = "The request could not be sent to the server.";
        this.#ports.toClient(errorMessage(id, rpcCodes.internal, message), undefined, request);
      },
      cancelled: (request: unknown): void => {
        if (!this.#closed) this.#ports.cancelled?.(request);
      },
    };
  }

  #report(phase: string, error: unknown): void {
    reportFault(this.#onFault, { source: "mcp", phase, error });
  }
}

const same = (message: JsonRpcMessage): JsonRpcMessage => message;
const copied = (message: JsonRpcMessage): JsonRpcMessage => JSON.parse(JSON.stringify(message));

/** An empty batch is not a message, and neither is one in another. */
function batch(messages: readonly unknown[]): readonly unknown[] {
  return messages.length === 0 ? [undefined] : messages;
}
