import type { IncomingHttpHeaders, OutgoingHttpHeaders } from "node:http";
import { type JsonRpcId, type JsonRpcMessage, own } from "../connection/json-rpc.js";
import { paramHeaders } from "../transport/param-headers.js";
import type { StreamEvent } from "./event-stream.js";
import type { HttpReply } from "./http-reply.js";

/** What `describe` is told, as `extra`, of the HTTP request that a message came by. */
export interface HttpRequestFacts {
  /** Names the session, and lets nobody in. */
  readonly sessionId: string;
  /** As the client sent them, credentials among them: for the host's eyes, and never passed on. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly remoteAddress: string | undefined;
}

/** A message that a client posted, and what it came by. */
export interface Incoming {
  readonly message: JsonRpcMessage;
  readonly bytes: Buffer;
  readonly headers: IncomingHttpHeaders;
  /** Of the headers, what the upstream gets. */
  readonly passedOn: OutgoingHttpHeaders;
  readonly remoteAddress: string | undefined;
}

interface Posted {
  /** As the link is given it. */
  readonly message: JsonRpcMessage;
  /** The id of a request, as the client said it. */
  readonly clientId: JsonRpcId | undefined;
  readonly bytes: Buffer;
  /** For the upstream. */
  readonly headers: OutgoingHttpHeaders;
  readonly reply: HttpReply;
  readonly facts: HttpRequestFacts;
}

/** One message that a client posted, and how far its answer has come. */
export class HttpExchange {
  readonly posted: Posted;
  /** Ends the request to the upstream. */
  readonly abort = new AbortController();
  isSent = false;
  /** The upstream has answered, or cannot any more. */
  isHeard = false;
  /** The client has been answered, or waits no longer. */
  isAnswered = false;
  /** Nothing more comes from the upstream on the request's own stream. */
  isDone = false;
  /** Its stream had an event with an id, by which a client takes it up again. */
  isResumable = false;

  constructor(posted: Posted) {
    this.posted = posted;
  }

  /** Whether a message to the server is this one, judged. */
  isOf({ id, method }: JsonRpcMessage): boolean {
    const { message } = this.posted;
    return !this.isSent && id === message.id && method === message.method;
  }

  /**
   * What the server gets: a message that is not judged as it came, a call as it was judged.
   *
   * @param inputSchema of the tool that is called: it says which arguments headers repeat.
   */
  outgoing(
    message: JsonRpcMessage,
    inputSchema: (toolName: string) => unknown,
  ): { readonly body: Buffer | string; readonly headers: OutgoingHttpHeaders } {
    const { message: asked, bytes, clientId, headers } = this.posted;
    const known = clientId === undefined ? message : { ...message, id: clientId };
    if (message.method !== "tools/call") {
      return { body: message === asked ? bytes : JSON.stringify(known), headers };
    }
    const name = own(message.params, "name") as string;
    const args = own(message.params, "arguments");
    return {
      body: JSON.stringify(known),
      headers: paramHeaders(headers as Record<string, string>, inputSchema(name), args),
    };
  }
}

/** @param newId in place of a request's own, where others' ids may be the same. */
export function exchangeOf(
  { message, bytes, headers, passedOn, remoteAddress }: Incoming,
  reply: HttpReply,
  sessionId: string,
  newId: JsonRpcId | undefined,
): HttpExchange {
  const clientId = message.method === undefined ? undefined : (message.id ?? undefined);
  const isRenamed = clientId !== undefined && newId !== undefined;
  return new HttpExchange({
    message: isRenamed ? { ...message, id: newId } : message,
    clientId,
    bytes,
    headers: passedOn,
    reply,
    facts: { sessionId, headers, remoteAddress },
  });
}

/** A message of the upstream's, with the stream that it came on. */
export class Arrival {
  /** As the link is given it. */
  readonly message: JsonRpcMessage;
  readonly bytes: Buffer;
  /** Whose stream it is; a request of the link's own has none. */
  readonly reply: HttpReply | undefined;
  readonly event: StreamEvent | undefined;

  constructor(
    message: JsonRpcMessage,
    { bytes, reply, event }: Pick<Arrival, "bytes" | "reply" | "event">,
  ) {
    this.message = message;
    this.bytes = bytes;
    this.reply = reply;
    this.event = event;
  }
}
