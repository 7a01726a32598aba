import { randomUUID } from "node:crypto";
import type { IncomingMessage, OutgoingHttpHeaders } from "node:http";
import {
  cancellation,
  errorMessage,
  type JsonRpcId,
  type JsonRpcMessage,
  own,
  rpcCodes,
} from "../connection/json-rpc.js";
import { hasId, type StreamEvent } from "./event-stream.js";
import { headersForClient } from "./headers.js";
import { Arrival, HttpExchange, type HttpRequestFacts } from "./http-exchange.js";
import type { HttpReply } from "./http-reply.js";
import { type Connect, type Link, type OnRefused, serverError } from "./link.js";
import { OwnRequests } from "./own-requests.js";
import { parseError, readMessage } from "./read-message.js";
import type { Upstream } from "./upstream.js";
import { type AnswerSink, isEvents, isSuccess, readAnswer, statusFor } from "./upstream-answer.js";

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

/** A message that was read, and what it came by. */
interface Incoming {
  readonly message: JsonRpcMessage;
  readonly bytes: Buffer;
  readonly headers: IncomingMessage["headers"];
  /** For the upstream. */
  readonly passedOn: OutgoingHttpHeaders;
  readonly remoteAddress: string | undefined;
}

/** Requests whose answer may still come on another stream; of more, the oldest are given up. */
const mostParked = 1_000;

/**
 * One session between clients and the upstream, judged by one link.
 *
 * An answer is passed on only where a request waits for it. A stream that is
 * taken up again repeats answers that were judged before, and one of those
 * must not come through unjudged.
 */
export class HttpChannel {
  readonly #options: HttpChannelOptions;
  readonly #link: Link;
  readonly #own: OwnRequests;
  /** By the id that the link knows. */
  readonly #exchanges = new Map<unknown, HttpExchange>();
  readonly #byFacts = new WeakMap<object, HttpExchange>();
  /** Streams that clients listen on for what answers nobody. */
  readonly #listeners = new Set<HttpReply>();
  readonly #prefix = randomUUID();
  #count = 0;
  /** Of the last request: what the link says by itself goes the same way. */
  #headers: OutgoingHttpHeaders = {};

  constructor(options: HttpChannelOptions) {
    const { connect, upstream, maxMessageBytes, sessionId } = options;
    this.#options = options;
    this.#link = connect(
      {
        toClient: (message, extra) => this.#toClient(message, extra),
        toServer: (message, extra) => this.#toServer(message, extra),
        failed: (id, error) => this.#answerFailure(id, error),
      },
      sessionId,
    );
    this.#own = new OwnRequests(upstream, maxMessageBytes, this.#sink(), (id, error) =>
      this.#link.failed(id, error),
    );
  }

  get isIdle(): boolean {
    return this.#exchanges.size === 0 && this.#listeners.size === 0;
  }

  /** Take a message that a client posted. Its reply is given in the end. */
  post({ message, bytes, headers, passedOn, remoteAddress }: Incoming, reply: HttpReply): void {
    const { id, method } = message;
    const clientId = method === undefined || id === null ? undefined : id;
    const key = this.#options.isShared ? `${this.#prefix}-${this.#count++}` : clientId;
    const known = key === clientId || clientId === undefined ? message : { ...message, id: key };
    const { sessionId } = this.#options;
    const facts: HttpRequestFacts = { sessionId, headers, remoteAddress };
    const exchange = new HttpExchange({
      message: known,
      clientId,
      bytes,
      headers: passedOn,
      reply,
      facts,
    });
    this.#headers = passedOn;
    this.#byFacts.set(facts, exchange);
    if (clientId !== undefined) {
      if (this.#exchanges.has(key)) {
        const reason = "The id is that of a request that is still under way.";
        return reply.message(
          JSON.stringify(errorMessage(clientId, rpcCodes.invalidRequest, reason)),
        );
      }
      this.#exchanges.set(key, exchange);
      reply.onGone(() => this.#gone(exchange));
    }
    this.#link.fromClient(known, facts);
    if (clientId !== undefined) return;
    // It went nowhere, or will later.
    if (!exchange.isSent) reply.status(202);
    if (method === "notifications/cancelled") {
      this.#waitsNoLonger(this.#exchanges.get(own(message.params, "requestId")));
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
        await readAnswer(response, maxMessageBytes, this.#sink(reply));
      } else {
        response.resume();
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
    for (const exchange of this.#exchanges.values()) {
      exchange.isAnswered = true;
      exchange.abort.abort();
      exchange.posted.reply.code = 503;
      this.#say(exchange, reason);
    }
    this.#exchanges.clear();
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
      this.#exchanges.get(id)?.abort.abort();
      // Without a session, the request that ends is all that a server understands.
      if (this.#options.isShared) return;
    }
    void this.#own.send(message, exchange?.posted.headers ?? this.#headers);
  }

  async #forward(exchange: HttpExchange, message: JsonRpcMessage): Promise<void> {
    const { reply, clientId } = exchange.posted;
    let why = "The MCP server ended its answer before it was complete.";
    try {
      const { upstream, maxMessageBytes } = this.#options;
      const { body, headers } = exchange.outgoing(message);
      const response = await upstream.send("POST", headers, exchange.abort.signal, body);
      reply.headers = headersForClient(response.headers);
      const status = statusFor(response);
      if (clientId === undefined) {
        response.resume();
        return reply.status(isSuccess(response) ? 202 : status);
      }
      if (isSuccess(response) && isEvents(response)) reply.startEvents();
      if (!isSuccess(response)) {
        reply.code = status;
        why = `The MCP server answered with HTTP ${status}.`;
      }
      await readAnswer(response, maxMessageBytes, this.#sink(reply, exchange));
    } catch {
      if (clientId === undefined) return reply.status(502);
      // Where it was ended from here, the answer is the link's.
      if (!exchange.abort.signal.aborted) reply.code = 502;
      why = "The MCP server cannot be reached, or broke off its answer.";
    }
    exchange.isDone = true;
    if (!exchange.isHeard && !exchange.isAnswered && !exchange.isResumable) {
      exchange.isHeard = true;
      this.#link.failed(exchange.posted.message.id, new Error(why));
    }
    this.#finish(exchange);
  }

  /** Takes what comes on a client's stream, or on one of the link's own. */
  #sink(reply?: HttpReply, exchange?: HttpExchange): AnswerSink {
    const note = (event: StreamEvent | undefined): void => {
      if (event === undefined || exchange === undefined || this.#options.isShared) return;
      exchange.isResumable ||= hasId(event);
    };
    return {
      message: (bytes, event) => {
        note(event);
        this.#arrive({ bytes, reply, event }, exchange);
      },
      event: (event) => {
        note(event);
        reply?.pass(event);
      },
      ready: async () => reply?.drained(),
    };
  }

  /** A message of the upstream's. */
  #arrive(
    arrival: Pick<Arrival, "bytes" | "reply" | "event">,
    exchange: HttpExchange | undefined,
  ): void {
    const { maxMessageBytes, onRefused } = this.#options;
    const reading = readMessage(arrival.bytes, maxMessageBytes);
    if (!reading.ok) {
      const { event, reply } = arrival;
      // What is of no concern to MCP's readers, as `event: ping` with a date.
      if (event?.type !== undefined && reading.code === parseError) return reply?.pass(event);
      onRefused("server", reading.reason);
      for (const id of reading.answeredIds) {
        const key = this.#awaited(id, exchange);
        if (key !== undefined)
          this.#link.failed(key, new Error(`The answer is refused: ${reading.reason}.`));
      }
      return;
    }
    let { message } = reading;
    if (message.method === undefined) {
      // An error that answers nobody by name answers the request that it came for.
      const isNobodys = (message.id ?? null) === null && exchange !== undefined;
      const key = this.#awaited(isNobodys ? exchange.posted.clientId : message.id, exchange);
      if (key === undefined) return onRefused("server", "it answers no request that waits");
      if (key !== message.id) message = { ...message, id: key };
    }
    this.#link.fromServer(message, new Arrival(message, arrival));
  }

  /** What the link knows the answered request by, where one waits for this answer. */
  #awaited(id: unknown, exchange: HttpExchange | undefined): JsonRpcId | undefined {
    if (this.#own.answered(id)) return id as JsonRpcId;
    const isOthers = this.#options.isShared && exchange?.posted.clientId !== id;
    const key = this.#options.isShared ? exchange?.posted.message.id : id;
    const waits = isOthers ? undefined : this.#exchanges.get(key);
    if (waits === undefined || waits.isHeard) return undefined;
    waits.isHeard = true;
    return key as JsonRpcId;
  }

  #toClient(message: JsonRpcMessage, extra: unknown): void {
    const arrival = extra instanceof Arrival ? extra : undefined;
    const isSame = arrival?.message === message;
    if (message.method !== undefined) {
      const [listener] = this.#listeners;
      const reply = arrival?.reply ?? listener;
      if (isSame && arrival.event !== undefined) reply?.pass(arrival.event);
      else if (reply !== listener || reply?.isEvents) reply?.message(JSON.stringify(message));
      return;
    }
    const exchange = this.#exchanges.get(message.id);
    if (exchange === undefined || exchange.isAnswered) return;
    exchange.isAnswered = true;
    const { clientId, reply: asked } = exchange.posted;
    const reply = arrival?.reply ?? asked;
    if (isSame && arrival.event !== undefined) reply.pass(arrival.event);
    else {
      const text = isSame ? arrival.bytes : JSON.stringify({ ...message, id: clientId });
      reply.message(text, arrival?.event);
    }
    // Answered from here: what the upstream still says of it is of no use.
    if (!exchange.isHeard) exchange.abort.abort();
    this.#finish(exchange);
  }

  #answerFailure(id: JsonRpcId, error: unknown): void {
    const exchange = this.#exchanges.get(id);
    if (exchange === undefined || exchange.isAnswered) return;
    exchange.isAnswered = true;
    this.#say(exchange, error instanceof Error ? error.message : "The MCP server gave no answer.");
    this.#finish(exchange);
  }

  #say({ posted: { clientId, reply } }: HttpExchange, reason: string): void {
    if (clientId === undefined) return reply.end();
    reply.message(JSON.stringify(errorMessage(clientId, serverError, reason)));
    reply.end();
  }

  /** A request is over once its client is answered and its stream has ended. */
  #finish(exchange: HttpExchange): void {
    const { isDone, isSent, isHeard, isAnswered, isResumable, posted } = exchange;
    if (isSent && isHeard && !isDone) return;
    // One whose stream ended, and can be taken up again, is parked.
    if (isAnswered || (isDone && isResumable && !isHeard)) posted.reply.end();
    if (isAnswered) this.#exchanges.delete(posted.message.id);
    if (this.#exchanges.size > mostParked) this.#giveUpOldest();
  }

  #giveUpOldest(): void {
    for (const exchange of this.#exchanges.values()) {
      if (exchange.isDone && exchange.posted.reply.isOver) return this.#cancel(exchange);
    }
  }

  /** The client has gone. Where it can come back for the answer, the call goes on. */
  #gone(exchange: HttpExchange): void {
    exchange.abort.abort();
    if (!exchange.isAnswered && !exchange.isResumable) this.#cancel(exchange);
  }

  #cancel(exchange: HttpExchange): void {
    const { message, facts } = exchange.posted;
    this.#waitsNoLonger(exchange);
    this.#link.fromClient(cancellation(message.id as JsonRpcId, "The client has gone."), facts);
  }

  #waitsNoLonger(exchange: HttpExchange | undefined): void {
    if (exchange === undefined) return;
    exchange.isAnswered = true;
    this.#finish(exchange);
  }
}
