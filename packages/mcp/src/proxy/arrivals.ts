import { keepFixed } from "../connection/call-result.js";
import type { JsonRpcId } from "../connection/json-rpc.js";
import { hasId, type StreamEvent } from "./event-stream.js";
import type { Exchanges } from "./exchanges.js";
import { Arrival, type HttpExchange } from "./http-exchange.js";
import type { HttpReply } from "./http-reply.js";
import type { Link, OnRefused } from "./link.js";
import { parseError, readMessage } from "./read-message.js";
import type { AnswerSink } from "./upstream-answer.js";

export interface ArrivalsOptions {
  readonly link: Link;
  readonly exchanges: Exchanges;
  /** Whether an id is of one of the link's own requests, which is then answered. */
  readonly answersOwn: (id: unknown) => boolean;
  /** Where what has no stream of a client's goes. */
  readonly listener: () => HttpReply | undefined;
  readonly isShared: boolean;
  readonly maxMessageBytes: number;
  readonly onRefused: OnRefused;
}

/**
 * What the upstream says, on whichever stream, read and given to the link.
 *
 * An answer is passed on only where a request waits for it. A stream that is
 * taken up again repeats answers that were judged before, and one of those
 * must not come through unjudged.
 */
export class Arrivals {
  readonly #options: ArrivalsOptions;

  constructor(options: ArrivalsOptions) {
    this.#options = options;
  }

  /** Takes what comes on a client's stream, or, without one, on one of the link's own. */
  sink(reply?: HttpReply, exchange?: HttpExchange): AnswerSink {
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
      ready: async () => (reply ?? this.#options.listener())?.drained(),
    };
  }

  #arrive(
    arrival: Pick<Arrival, "bytes" | "reply" | "event">,
    exchange: HttpExchange | undefined,
  ): void {
    const { link, maxMessageBytes, onRefused } = this.#options;
    const reading = readMessage(arrival.bytes, maxMessageBytes);
    if (!reading.ok) {
      const { event, reply } = arrival;
      // What is of no concern to MCP's readers, as `event: ping` with a date.
      if (event?.type !== undefined && reading.code === parseError) reply?.pass(event);
      else this.#refuse(reading.reason, reading.answeredIds, exchange);
      return;
    }
    let { message } = reading;
    if (message.method === undefined) {
      // An error that answers nobody by name answers the request that it came for.
      const isNobodys = (message.id ?? null) === null && exchange !== undefined;
      const key = this.#awaited(isNobodys ? exchange.posted.clientId : message.id, exchange);
      if (key === undefined) {
        onRefused("server", "it answers no request that waits");
        return;
      }
      if (key !== message.id) message = { ...message, id: key };
    }
    keepFixed(message);
    link.fromServer(message, new Arrival(message, arrival));
  }

  #refuse(reason: string, ids: readonly JsonRpcId[], exchange: HttpExchange | undefined): void {
    const { link, onRefused } = this.#options;
    onRefused("server", reason);
    for (const id of ids) {
      const key = this.#awaited(id, exchange);
      if (key !== undefined) link.failed(key, new Error(`The answer is refused: ${reason}.`));
    }
  }

  /** What the link knows the answered request by, where one waits for this answer. */
  #awaited(id: unknown, exchange: HttpExchange | undefined): JsonRpcId | undefined {
    const { answersOwn, exchanges, isShared } = this.#options;
    if (answersOwn(id)) return id as JsonRpcId;
    // Ids of those who share a channel may be equal: there, a stream answers its own request only.
    const isOthers = isShared && exchange?.posted.clientId !== id;
    const key = isShared ? exchange?.posted.message.id : id;
    const waits = isOthers ? undefined : exchanges.get(key);
    if (waits === undefined || waits.isHeard) return undefined;
    waits.isHeard = true;
    return key as JsonRpcId;
  }
}
