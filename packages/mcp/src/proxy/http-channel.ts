import { randomUUID } from "node:crypto";
import type { OutgoingHttpHeaders } from "node:http";
import {
  cancellation,
  errorMessage,
  type JsonRpcId,
  type JsonRpcMessage,
  own,
  rpcCodes,
} from "../connection/json-rpc.js";
import { Arrivals } from "./arrivals.js";
import { Exchanges } from "./exchanges.js";
import { headersForClient } from "./headers.js";
import { Arrival, exchangeOf, type HttpExchange, type Incoming } from "./http-exchange.js";
import type { HttpReply } from "./http-reply.js";
import { type Connect, type Link, type OnRefused, serverError } from "./link.js";
import { OwnRequests } from "./own-requests.js";
import type { Upstream } from "./upstream.js";
import { isEvents, isSuccess, readAnswer, statusFor } from "./upstream-answer.js";

export interface HttpChannelOptions {
  readonly connect: Connect;
  readonly upstream: Upstream;
  readonly maxMessageBytes: number;
  readonly onRefused: OnRefused;
  /** Names the session for guards and records; no credential. */
  readonly sessionId: string;
  /** Whether its clients share it: their ids may be equal, and no stream of theirs can be taken up again. */
  readonly isShared: boolean;
}

/** One session between clients and the upstream, judged by one link. */
export class HttpChannel {
  readonly #options: HttpChannelOptions;
  readonly #link: Link;
  readonly #own: OwnRequests;
  readonly #arrivals: Arrivals;
  readonly #exchanges = new Exchanges((exchange) => this.#cancel(exchange));
  readonly #byFacts = new WeakMap<object, HttpExchange>();
  /** Streams that clients listen on for what answers nobody. */
  readonly #listeners = new Set<HttpReply>();
  readonly #prefix = randomUUID();
  #count = 0;
  /** Of the last request: what the link says by itself goes the same way. */
  #headers: OutgoingHttpHeaders = {};

  constructor(options: HttpChannelOptions) {
    const { connect, upstream, maxMessageBytes, onRefused, sessionId, isShared } = options;
    this.#options = options;
    this.#link = connect(
      {
        toClient: (message, extra) => this.#toClient(message, extra),
        toServer: (message, extra) => this.#toServer(message, extra),
        failed: (id, error) => this.#answerFailure(id, error),
      },
      sessionId,
    );
    this.#arrivals = new Arrivals({
      link: this.#link,
      exchanges: this.#exchanges,
      answersOwn: (id) => this.#own.answered(id),
      listener: () => this.#listener,
      isShared,
      maxMessageBytes,
      onRefused,
    });
    this.#own = new OwnRequests(upstream, maxMessageBytes, this.#arrivals.sink(), (id, error) =>
      this.#link.failed(id, error),
    );
  }

  get #listener(): HttpReply | undefined {
    const [first] = this.#listeners;
    return first;
  }

  get isIdle(): boolean {
    return this.#exchanges.isIdle && this.#listeners.size === 0;
  }

  /** Take a message that a client posted. Its reply is given in the end. */
  post(incoming: Incoming, reply: HttpReply): void {
    const { sessionId, isShared } = this.#options;
    const newId = isShared ? `${this.#prefix}-${this.#count++}` : undefined;
    const exchange = exchangeOf(incoming, reply, sessionId, newId);
    const { message, clientId, facts } = exchange.posted;
    this.#headers = incoming.passedOn;
    this.#byFacts.set(facts, exchange);
    if (clientId === undefined) {
      this.#link.fromClient(message, facts);
      // It went nowhere, or will later.
      if (!exchange.isSent) reply.status(202);
      if (message.method !== "notifications/cancelled") return;
      const cancelled = this.#exchanges.get(own(message.params, "requestId"));
      if (cancelled === undefined) return;
      this.#exchanges.drop(cancelled);
      // The server need not answer it, and may leave it open.
      cancelled.abort.abort();
    } else if (this.#exchanges.get(message.id) !== undefined) {
      const reason = "The id is that of a request that is still under way.";
      reply.message(JSON.stringify(errorMessage(clientId, rpcCodes.invalidRequest, reason)));
    } else {
      this.#exchanges.add(exchange);
      reply.onGone(() => this.#gone(exchange));
      this.#link.fromClient(message, facts);
    }
  }

  /** A client listens for what the server says of its own accord. */
  async listen(passedOn: OutgoingHttpHeaders, reply: HttpReply): Promise<void> {
    const { "last-event-id": _, ...headers } = passedOn;
    this.#headers = headers;
    const abort = new AbortController();
    reply.onGone(() => abort.abort());
    this.#listeners.add(reply);
    try {
      const { upstream, maxMessageBytes } = this.#options;
      const response = await upstream.send("GET", passedOn, abort.signal);
      reply.headers = headersForClient(response.headers);
      if (isSuccess(response) && isEvents(response)) {
        reply.startEvents();
        await readAnswer(response, maxMessageBytes, this.#arrivals.sink(reply));
      } else {
        upstream.discard(response);
        reply.status(isSuccess(response) ? 502 : statusFor(response));
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
    await this.#link.close(reason);
    this.#own.close();
    for (const listener of this.#listeners) listener.end();
    for (const exchange of this.#exchanges.clear()) {
      exchange.abort.abort();
      exchange.posted.reply.code = 503;
      this.#answer(exchange, reason);
    }
  }

  #toServer(message: JsonRpcMessage, extra: unknown): void {
    const exchange = this.#byFacts.get(Object(extra));
    if (exchange?.isOf(message) === true) {
      exchange.isSent = true;
      void this.#forward(exchange, message);
      return;
    }
    if (message.method === "notifications/cancelled") {
      const id = own(message.params, "requestId");
      this.#own.abort(id);
      const given = this.#exchanges.get(id);
      if (given !== undefined) {
        // Its client is answered from here, and so must not be sent to ask again.
        given.isHeard = true;
        given.abort.abort();
      }
      // Without a session, the request that ends is all that a server understands.
      if (this.#options.isShared) return;
    }
    void this.#own.send(message, exchange?.posted.headers ?? this.#headers);
  }

  /** It never rejects. */
  async #forward(exchange: HttpExchange, message: JsonRpcMessage): Promise<void> {
    const { reply, clientId } = exchange.posted;
    const { upstream, maxMessageBytes } = this.#options;
    let why = "The MCP server ended its answer before it was complete.";
    try {
      const { body, headers } = exchange.outgoing(
        message,
        (name) => this.#link.definition(name)?.["inputSchema"],
      );
      if (clientId === undefined) {
        const told = await upstream.tell(headers, exchange.abort, body);
        reply.headers = headersForClient(told.headers);
        reply.status(isSuccess(told) ? 202 : statusFor(told));
        return;
      }
      const response = await upstream.send("POST", headers, exchange.abort.signal, body);
      reply.headers = headersForClient(response.headers);
      const status = statusFor(response);
      if (!isSuccess(response)) {
        reply.code = status;
        why = `The MCP server answered with HTTP ${status}.`;
      } else if (isEvents(response)) reply.startEvents();
      await readAnswer(response, maxMessageBytes, this.#arrivals.sink(reply, exchange));
    } catch {
      reply.code = exchange.abort.signal.aborted ? 200 : 502;
      if (clientId === undefined) reply.status(502);
      why = "The MCP server cannot be reached, or broke off its answer.";
    }
    exchange.isDone = true;
    if (clientId === undefined) return;
    if (!exchange.isHeard && !exchange.isAnswered && !exchange.isResumable) {
      exchange.isHeard = true;
      this.#link.failed(exchange.posted.message.id, new Error(why));
    }
    this.#exchanges.finish(exchange);
  }

  #toClient(message: JsonRpcMessage, extra: unknown): void {
    const arrival = extra instanceof Arrival ? extra : undefined;
    const event = arrival?.message === message ? arrival.event : undefined;
    if (message.method !== undefined) {
      const reply = arrival?.reply ?? this.#listener;
      if (event !== undefined) reply?.pass(event);
      else if (reply?.isEvents) reply.message(JSON.stringify(message));
      return;
    }
    const exchange = this.#exchanges.get(message.id);
    if (exchange === undefined || exchange.isAnswered) return;
    exchange.isAnswered = true;
    const { clientId, reply: asked } = exchange.posted;
    // A client whose own stream has ended may have come back on another.
    const back = asked.isOver && !this.#options.isShared ? this.#listener : undefined;
    const reply = arrival?.reply ?? back ?? asked;
    if (event !== undefined && reply.isEvents) reply.pass(event);
    else if (arrival?.message === message) reply.message(arrival.bytes);
    else reply.message(JSON.stringify({ ...message, id: clientId }), arrival?.event);
    // Answered from here: what the upstream still says of it is of no use.
    if (!exchange.isHeard) exchange.abort.abort();
    this.#exchanges.finish(exchange);
  }

  #answerFailure(id: JsonRpcId, error: unknown): void {
    const exchange = this.#exchanges.get(id);
    if (exchange === undefined || exchange.isAnswered) return;
    this.#answer(exchange, error instanceof Error ? error.message : "There was no answer.");
    this.#exchanges.finish(exchange);
  }

  #answer(exchange: HttpExchange, reason: string): void {
    exchange.isAnswered = true;
    const { clientId, reply } = exchange.posted;
    if (clientId !== undefined) {
      reply.message(JSON.stringify(errorMessage(clientId, serverError, reason)));
    }
    reply.end();
  }

  /** The client has gone. Where it can come back for the answer, the call goes on. */
  #gone(exchange: HttpExchange): void {
    exchange.abort.abort();
    if (!exchange.isAnswered && !exchange.isResumable) this.#cancel(exchange);
  }

  #cancel(exchange: HttpExchange): void {
    const { message, facts } = exchange.posted;
    this.#exchanges.drop(exchange);
    this.#link.fromClient(cancellation(message.id as JsonRpcId, "The client has gone."), facts);
  }
}
