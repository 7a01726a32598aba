import type { OutgoingHttpHeaders } from "node:http";
import type { GuardedConnection } from "../../connection/guarded-connection.js";
import type { JsonRpcMessage } from "../../message/json-rpc.js";
import { parseError, readMessage, withoutMark } from "../../message/read-message.js";
import { readListAnswer } from "../../tools/known-answers.js";
import type { OnRefused } from "../options.js";
import { hasId, type StreamEvent } from "./event-stream.js";
import type { HttpExchange } from "./exchange.js";
import type { AnswerSink } from "./read-answer.js";
import type { HttpReply } from "./reply.js";

/** A message of the upstream's, with the stream that it came on. */
export interface UpstreamMessage {
  /** The message as the connection was given it. */
  readonly message: JsonRpcMessage;
  readonly bytes: Buffer;
  /** The client's reply whose stream it came on; a request of the connection's own has none. */
  readonly reply: HttpReply | undefined;
  readonly event: StreamEvent | undefined;
  /** The headers of the client's request that its stream answers. */
  readonly headers: OutgoingHttpHeaders;
}

export interface UpstreamMessagesOptions {
  readonly connection: GuardedConnection;
  /** The reply for messages that no client's stream brought. */
  readonly listener: () => HttpReply | undefined;
  readonly isShared: boolean;
  readonly maxMessageBytes: number;
  readonly onRefused: OnRefused;
}

/**
 * Reads the upstream's messages, on whichever stream, and gives them to the connection.
 *
 * An answer is passed on only if a request waits for it. A stream that is
 * resumed repeats answers that were judged before, and such an answer must not
 * reach the client unjudged.
 */
export class UpstreamMessages {
  readonly #options: UpstreamMessagesOptions;

  constructor(options: UpstreamMessagesOptions) {
    this.#options = options;
  }

  /** A sink for a client's stream; without a reply, for a stream of the connection's own. */
  sink(headers: OutgoingHttpHeaders, reply?: HttpReply, exchange?: HttpExchange): AnswerSink {
    const note = (event: StreamEvent | undefined): void => {
      if (event === undefined || exchange === undefined || this.#options.isShared) return;
      exchange.isResumable ||= hasId(event);
    };
    return {
      message: (bytes, event) => {
        note(event);
        this.#take({ bytes, event, reply, headers }, exchange);
      },
      event: (event) => {
        note(event);
        reply?.pass(event);
      },
      ready: async () => (reply ?? this.#options.listener())?.drained(),
    };
  }

  #take(came: Omit<UpstreamMessage, "message">, exchange: HttpExchange | undefined): void {
    const { event, reply } = came;
    const { connection, maxMessageBytes, onRefused } = this.#options;
    // An event's data has none: the stream's own is taken away before.
    const bytes = event === undefined ? withoutMark(came.bytes) : came.bytes;
    // Where there is no client's stream, a request of the connection's own is answered: it asks for nothing but lists.
    const isList =
      exchange === undefined ? reply === undefined : exchange.message.method === "tools/list";
    const read = isList ? readListAnswer : readMessage;
    const reading = read(bytes, maxMessageBytes);
    if (!reading.ok) {
      // Not an event of MCP's, such as `event: ping` with a date.
      if (event?.type !== undefined && reading.code === parseError) {
        reply?.pass(event);
        return;
      }
      onRefused("server", reading.reason);
      const error = new Error(`The answer is refused: ${reading.reason}.`);
      for (const id of reading.answeredIds) connection.failed(this.#known(id, exchange), error);
      return;
    }
    let { message } = reading;
    if (message.method === undefined) {
      // An error that names no request answers the one that it came for.
      const id = this.#known(message.id ?? exchange?.clientId, exchange);
      if (!connection.awaits(id)) {
        onRefused("server", "it answers no request that waits");
        return;
      }
      if (id !== message.id) message = { ...message, id: id as string | number };
    }
    const arrived: UpstreamMessage = { ...came, message, bytes };
    connection.fromServer(message, arrived);
  }

  /** The id that the connection knows a request by. Clients that share a session may have equal ids: their requests have other ones. */
  #known(id: unknown, exchange: HttpExchange | undefined): unknown {
    return exchange !== undefined && id === exchange.clientId ? exchange.message.id : id;
  }
}
