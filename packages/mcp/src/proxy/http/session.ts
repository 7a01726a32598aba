import { randomUUID } from "node:crypto";
import type { OutgoingHttpHeaders } from "node:http";
import { ownValue } from "@toolstile/core/provider";
import type { GuardedConnection } from "../../connection/guarded-connection.js";
import {
  cancellation,
  errorMessage,
  type JsonRpcId,
  type JsonRpcMessage,
} from "../../message/json-rpc.js";
import { headerMismatch, serverError } from "../../message/refusal.js";
import type { SessionSettings } from "../options.js";
import { NoRoomError } from "./body-room.js";
import { HttpExchange, type Posted } from "./exchange.js";
import { headersForClient } from "./headers.js";
import { OpenExchanges } from "./open-exchanges.js";
import { sendOwn, tellOwn } from "./own-messages.js";
import { isEvents, isJson, type ReadBounds, readAnswer } from "./read-answer.js";
import type { HttpReply } from "./reply.js";
import type { Upstream } from "./upstream.js";
import { type UpstreamMessage, UpstreamMessages } from "./upstream-messages.js";
import { isSuccess } from "./upstream-status.js";

export interface HttpSessionOptions extends SessionSettings, ReadBounds {
  readonly upstream: Upstream;
  /** The name of the session for guards and records. It must not be used as a credential. */
  readonly sessionId: string;
  /** True for the one session of all clients without one: their ids may be equal, and none of their streams can be resumed. */
  readonly isShared: boolean;
}

/** One session between clients and the upstream, judged by one connection. */
export class HttpSession {
  readonly #options: HttpSessionOptions;
  readonly #connection: GuardedConnection;
  readonly #fromUpstream: UpstreamMessages;
  readonly #exchanges = new OpenExchanges((exchange) => this.#giveUp(exchange));
  /** Streams that clients listen on for messages that answer no request. */
  readonly #listeners = new Set<HttpReply>();
  readonly #prefix = randomUUID();
  #count = 0;

  constructor(options: HttpSessionOptions) {
    const { connect, sessionId } = options;
    this.#options = options;
    this.#connection = connect(
      {
        toClient: (message, extra, request) =>
          this.#toClient(message, extra as UpstreamMessage, request as HttpExchange),
        toServer: (message, extra, over) => this.#toServer(message, extra as HttpExchange, over),
        failed: (_, error, request) => this.#fail(request as HttpExchange, error),
        cancelled: (request) => this.#abandon(request as HttpExchange),
        refused: (answer, extra) =>
          void tellOwn(answer, (extra as UpstreamMessage).headers, options.upstream),
      },
      sessionId,
    );
    this.#fromUpstream = new UpstreamMessages({
      ...options,
      connection: this.#connection,
      listener: () => this.#listener,
    });
  }

  /** Whoever listens in the shared session need not be the client that a message is for. */
  get #listener(): HttpReply | undefined {
    const [first] = this.#listeners;
    return this.#options.isShared ? undefined : first;
  }

  get isIdle(): boolean {
    return this.#exchanges.isIdle && this.#listeners.size === 0;
  }

  /** Take a message that a client posted. Its reply is given in the end. */
  post(posted: Posted, reply: HttpReply): void {
    const { sessionId, isShared } = this.#options;
    const newId = isShared ? `${this.#prefix}-${this.#count++}` : undefined;
    const exchange = new HttpExchange(posted, reply, sessionId, newId);
    if (exchange.clientId !== undefined) {
      this.#exchanges.add(exchange);
      reply.onGone(() => this.#gone(exchange));
    }
    const tool = exchange.repeatingTool;
    const { message } = exchange;
    const knowing = tool === undefined ? undefined : this.#connection.know(tool, message, exchange);
    if (knowing === undefined) this.#take(exchange, tool);
    else void knowing.then(() => this.#take(exchange, tool));
  }

  #take(exchange: HttpExchange, tool: string | undefined): void {
    const { message, reply, clientId } = exchange;
    if (exchange.isAnswered) return;
    if (tool !== undefined && exchange.contradicts(this.#inputSchema(tool))) {
      const reason = "its headers and its arguments differ";
      this.#options.onRefused("client", reason);
      reply.code = 400;
      const words = `The message is refused: ${reason}.`;
      const error = errorMessage(clientId as JsonRpcId, headerMismatch, words);
      reply.message(JSON.stringify(error));
      this.#exchanges.end(exchange);
      return;
    }
    this.#connection.fromClient(message, exchange);
    // It was not passed on, or will be later.
    if (clientId === undefined && !exchange.isSent) reply.status(202);
  }

  #inputSchema(tool: string): unknown {
    return this.#connection.definition(tool)?.["inputSchema"];
  }

  /** Open a stream for messages that the server sends of its own accord. */
  async listen(headers: OutgoingHttpHeaders, reply: HttpReply): Promise<void> {
    const abort = new AbortController();
    reply.onGone(() => abort.abort());
    this.#listeners.add(reply);
    try {
      const { upstream } = this.#options;
      const response = await upstream.send("GET", headers, abort.signal);
      reply.headers = headersForClient(response.headers);
      if (isSuccess(response) && isEvents(response)) {
        reply.startEvents();
        const sink = this.#fromUpstream.sink(headers, reply);
        await readAnswer(response, this.#options, sink);
      } else {
        upstream.discard(response);
        reply.status(isSuccess(response) ? 502 : upstream.failedAs(response).code);
      }
    } catch {
      reply.status(502);
    } finally {
      this.#listeners.delete(reply);
      reply.end();
    }
  }

  /** Settle what is open, and end every stream. */
  async close(reason: string): Promise<void> {
    await this.#connection.close();
    for (const listener of this.#listeners) listener.end();
    for (const exchange of this.#exchanges.clear()) {
      exchange.reply.code = 503;
      this.#fail(exchange, new Error(reason));
    }
  }

  #toServer(message: JsonRpcMessage, exchange: HttpExchange, over: AbortSignal | undefined): void {
    if (exchange.isFor(message)) {
      exchange.isSent = true;
      void this.#forward(exchange, message);
      return;
    }
    const { upstream, maxMessageBytes, room, isShared } = this.#options;
    if (message.method === "notifications/cancelled") {
      // Its client is answered from here.
      if (ownValue(message.params, "requestId") === exchange.message.id) exchange.abort.abort();
      // Without a session, the end of the request is all that a server understands.
      if (isShared) return;
    }
    const sink = this.#fromUpstream.sink(exchange.headers);
    const connection = this.#connection;
    const options = { connection, upstream, maxMessageBytes, room, sink };
    void sendOwn(message, exchange.headers, over, options);
  }

  /** It never rejects. */
  async #forward(exchange: HttpExchange, message: JsonRpcMessage): Promise<void> {
    const { reply, clientId } = exchange;
    const { upstream } = this.#options;
    let why = "The MCP server ended its answer before it was complete.";
    try {
      const response = await exchange.send(message, upstream, (name) => this.#inputSchema(name));
      reply.headers = headersForClient(response.headers);
      if (clientId === undefined) {
        reply.status(isSuccess(response) ? 202 : upstream.failedAs(response).code);
        return;
      }
      if (!isSuccess(response)) ({ code: reply.code, reason: why } = upstream.failedAs(response));
      else if (isEvents(response)) reply.startEvents();
      if (isSuccess(response) || isJson(response) || isEvents(response)) {
        const sink = this.#fromUpstream.sink(exchange.headers, reply, exchange);
        await readAnswer(response, this.#options, sink);
      } else upstream.discard(response);
    } catch (error) {
      const isFull = error instanceof NoRoomError;
      reply.code = exchange.abort.signal.aborted ? 200 : isFull ? 503 : 502;
      if (clientId === undefined) reply.status(502);
      why = isFull ? error.message : "The MCP server cannot be reached, or broke off its answer.";
    }
    exchange.isDone = true;
    if (clientId === undefined) return;
    const { id } = exchange.message;
    if (exchange.isAnswered) this.#exchanges.end(exchange);
    // Otherwise its answer is being judged, or made here.
    else if (this.#connection.awaits(id)) {
      if (exchange.isResumable) this.#exchanges.park(exchange);
      else this.#connection.failed(id, new Error(why));
    }
  }

  #toClient(
    message: JsonRpcMessage,
    arrived: UpstreamMessage | undefined,
    exchange: HttpExchange | undefined,
  ): void {
    const isUntouched = arrived?.message === message;
    const event = isUntouched ? arrived.event : undefined;
    if (message.method !== undefined) {
      const reply = arrived?.reply ?? this.#listener;
      if (event !== undefined) reply?.pass(event);
      else if (reply?.isEvents) reply.message(JSON.stringify(message));
      return;
    }
    if (exchange === undefined || exchange.isAnswered) return;
    exchange.isAnswered = true;
    // A client whose own stream has ended may have come back on another.
    const back = exchange.reply.isOver ? this.#listener : undefined;
    const reply = arrived?.reply ?? back ?? exchange.reply;
    if (arrived === undefined && exchange.isOfUnknownMethod(message)) reply.code = 404;
    if (event !== undefined && reply.isEvents) reply.pass(event);
    else if (isUntouched) reply.message(arrived.bytes);
    else reply.message(JSON.stringify({ ...message, id: exchange.clientId }), arrived?.event);
    if (arrived === undefined) this.#abandon(exchange);
    else if (exchange.isDone) this.#exchanges.end(exchange);
  }

  /** Answers with an error, and ends the request. */
  #fail(exchange: HttpExchange, error: unknown): void {
    const { isAnswered, reply, clientId } = exchange;
    const reason = error instanceof Error ? error.message : "There was no answer.";
    const message = errorMessage(clientId as JsonRpcId, serverError, reason);
    if (!isAnswered) reply.message(JSON.stringify(message));
    this.#abandon(exchange);
  }

  /** Ends a request that is answered from here: what the upstream still says of it is of no use. */
  #abandon(exchange: HttpExchange): void {
    exchange.abort.abort();
    this.#exchanges.end(exchange);
  }

  /** The client has gone. If it can come back for the answer, the call goes on. */
  #gone(exchange: HttpExchange): void {
    exchange.abort.abort();
    if (!exchange.isAnswered && !exchange.isResumable) this.#giveUp(exchange);
  }

  #giveUp(exchange: HttpExchange): void {
    this.#exchanges.end(exchange);
    const { id } = exchange.message;
    this.#connection.fromClient(cancellation(id as JsonRpcId, "The client has gone."), exchange);
  }
}
