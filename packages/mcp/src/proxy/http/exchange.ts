import type { IncomingHttpHeaders, IncomingMessage, OutgoingHttpHeaders } from "node:http";
import { ownValue } from "@toolstile/core/provider";
import { Exchange } from "../../connection/exchange.js";
import {
  envelopeOf,
  type JsonRpcId,
  type JsonRpcMessage,
  rpcCodes,
} from "../../message/json-rpc.js";
import { contradictsArguments, paramHeaders } from "../../message/param-headers.js";
import { headersForUpstream, isArgumentHeader } from "./headers.js";
import type { HttpReply } from "./reply.js";
import type { Upstream } from "./upstream.js";

/** The facts of the HTTP request that a message came by. `describe` is given them as `extra`. */
export interface HttpRequestFacts {
  /** The name of the session. It must not be used as a credential. */
  readonly sessionId: string;
  /** The headers as the client sent them, credentials among them. They are never passed on. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly remoteAddress: string | undefined;
}

/** A message that a client posted. */
export interface Posted {
  readonly message: JsonRpcMessage;
  readonly bytes: Buffer;
  readonly headers: IncomingHttpHeaders;
  readonly remoteAddress: string | undefined;
}

const noBytes = Buffer.alloc(0);

/** One message that a client posted, its reply, and how far its answer has come. */
export class HttpExchange extends Exchange {
  /** The id of a request, as the client wrote it. */
  readonly clientId: JsonRpcId | undefined;
  readonly facts: HttpRequestFacts;
  readonly reply: HttpReply;
  /** The headers for the upstream. */
  readonly headers: OutgoingHttpHeaders;
  /** Ends the request to the upstream. */
  readonly abort = new AbortController();
  /** True once the client has been answered, or waits no longer. */
  isAnswered = false;
  /** True once nothing more comes on the request's own stream. */
  isDone = false;
  /** True once its stream had an event with an id, from which a client can resume it. */
  isResumable = false;
  #bytes: Buffer;

  /** @param newId replaces the id of a request, where ids of several clients may be equal. */
  constructor(posted: Posted, reply: HttpReply, sessionId: string, newId: JsonRpcId | undefined) {
    const { message, bytes, headers, remoteAddress } = posted;
    const id = message.method === undefined ? undefined : (message.id ?? undefined);
    const isRenamed = id !== undefined && newId !== undefined;
    super(isRenamed ? { ...message, id: newId } : message);
    this.clientId = id;
    this.facts = { sessionId, headers, remoteAddress };
    this.reply = reply;
    this.headers = headersForUpstream(headers);
    // A call is written as it was judged.
    this.#bytes = message.method === "tools/call" ? noBytes : bytes;
  }

  /** True if only another stream can still bring the answer, and the client has gone or has been told so. */
  get isParked(): boolean {
    return this.isDone && this.reply.isOver;
  }

  /** The name of the tool of a call whose headers may repeat arguments. */
  get repeatingTool(): string | undefined {
    const { method, params } = this.message;
    const name = method === "tools/call" ? ownValue(params, "name") : undefined;
    const repeats = this.#isModern || Object.keys(this.headers).some(isArgumentHeader);
    return repeats && typeof name === "string" ? name : undefined;
  }

  /** True for a call whose headers say other arguments than its body. @param inputSchema of the called tool. */
  contradicts(inputSchema: unknown): boolean {
    const args = ownValue(this.message.params, "arguments");
    try {
      return contradictsArguments(this.headers, inputSchema, args, this.#isModern);
    } catch {
      // A schema of thousands of levels: what it declares cannot be found out.
      return true;
    }
  }

  /** True for an answer that is HTTP 404 too. In revisions before 2026-07-28 that would end the session. */
  isOfUnknownMethod({ error }: JsonRpcMessage): boolean {
    return this.#isModern && ownValue(error, "code") === rpcCodes.methodNotFound;
  }

  get #isModern(): boolean {
    return envelopeOf(this.message.params) !== undefined;
  }

  /**
   * Sends the server the bytes that came, or a call as it was judged, and lets go of them.
   *
   * @param inputSchema gives the schema of the called tool, which names the arguments that headers repeat.
   */
  send(
    message: JsonRpcMessage,
    upstream: Upstream,
    inputSchema: (toolName: string) => unknown,
  ): Promise<IncomingMessage> {
    const { body, headers } = this.#outgoing(message, inputSchema);
    this.forget();
    this.#bytes = noBytes;
    if (this.clientId === undefined) return upstream.tell(headers, this.abort, body);
    return upstream.send("POST", headers, this.abort.signal, body);
  }

  #outgoing(
    message: JsonRpcMessage,
    inputSchema: (toolName: string) => unknown,
  ): { readonly body: Buffer | string; readonly headers: OutgoingHttpHeaders } {
    const { clientId, headers } = this;
    const known = clientId === undefined ? message : { ...message, id: clientId };
    if (message.method !== "tools/call") {
      const body = message === this.message ? this.#bytes : JSON.stringify(known);
      return { body, headers };
    }
    const name = ownValue(message.params, "name") as string;
    const args = ownValue(message.params, "arguments");
    return {
      body: JSON.stringify(known),
      headers: paramHeaders(headers as Record<string, string>, inputSchema(name), args),
    };
  }
}
