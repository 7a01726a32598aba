import {
  Agent as HttpAgent,
  request as httpRequest,
  type IncomingMessage,
  type OutgoingHttpHeaders,
} from "node:http";
import { Agent as HttpsAgent, request as httpsRequest } from "node:https";
import { ToolstileError } from "@toolstile/core";
import { Pieces } from "./pieces.js";

/** Messages that nobody waits for, and answers that nobody reads, which are not over; of more, the oldest are given up. */
const mostUnheard = 1_000;

/** The MCP server behind the proxy. No redirect is followed: a credential goes where it was meant to go only. */
export class Upstream {
  readonly #url: URL;
  readonly #credential: OutgoingHttpHeaders;
  readonly #agent: HttpAgent;
  /** How each of what nobody waits for is given up. */
  readonly #unheard = new Set<() => void>();

  /** @throws ToolstileError `ERR_INVALID_OPTION` for what is no address of a server. */
  constructor(url: URL, credential: OutgoingHttpHeaders) {
    if (url.protocol !== "http:" && url.protocol !== "https:") {
      throw new ToolstileError("ERR_INVALID_OPTION", "The upstream is an http: or https: address.");
    }
    if (url.username !== "" || url.password !== "") {
      throw new ToolstileError(
        "ERR_INVALID_OPTION",
        "The upstream's address holds a credential. Give it by an environment variable.",
      );
    }
    this.#url = url;
    this.#credential = credential;
    const Agent = url.protocol === "https:" ? HttpsAgent : HttpAgent;
    this.#agent = new Agent({ keepAlive: true });
  }

  /** Resolves with the answer's head; rejects where there is none. */
  send(
    method: "POST" | "GET" | "DELETE",
    headers: OutgoingHttpHeaders,
    signal: AbortSignal,
    body?: Buffer | string,
  ): Promise<IncomingMessage> {
    const request = this.#url.protocol === "https:" ? httpsRequest : httpRequest;
    const ofBody =
      body === undefined ? {} : { ...utf8Json, "content-length": Buffer.byteLength(body) };
    return new Promise((resolve, reject) => {
      const sent = request(this.#url, {
        method,
        agent: this.#agent,
        headers: { ...headers, ...this.#credential, ...ofBody },
        signal,
      });
      sent.on("response", resolve);
      sent.on("error", reject);
      // One that switches protocols, unasked, ends without either.
      sent.on("close", () => reject(new Error("The MCP server gave no answer.")));
      sent.end(body);
    });
  }

  /** Post what is not answered by a message. A server that leaves it hanging cannot hold on to more than so many. */
  async tell(
    headers: OutgoingHttpHeaders,
    abort: AbortController,
    body: Buffer | string,
  ): Promise<IncomingMessage> {
    const over = this.#bound(() => abort.abort());
    try {
      const response = await this.send("POST", headers, abort.signal, body);
      this.discard(response);
      return response;
    } finally {
      over();
    }
  }

  /** Read an answer away, so that its connection can be used again. */
  discard(response: IncomingMessage): void {
    response.once(
      "close",
      this.#bound(() => response.destroy()),
    );
    response.resume();
  }

  /** @returns what says that it is over. */
  #bound(giveUp: () => void): () => void {
    this.#unheard.add(giveUp);
    const [oldest] = this.#unheard;
    if (this.#unheard.size > mostUnheard && oldest !== undefined) {
      this.#unheard.delete(oldest);
      oldest();
    }
    return () => void this.#unheard.delete(giveUp);
  }

  close(): void {
    this.#agent.destroy();
  }
}

/** As every body was judged. In a charset of a client's choice it would be another message: UTF-7 spells `tools/call` otherwise. */
const utf8Json = { "content-type": "application/json" };

/** A body of at most so many bytes; nothing where it is longer. */
export async function readBody(
  stream: IncomingMessage,
  maxBytes: number,
): Promise<Buffer | undefined> {
  const pieces = new Pieces();
  // Whoever sent too much is still told so.
  for await (const piece of stream.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    pieces.add(piece);
    if (pieces.length > maxBytes) return undefined;
  }
  return pieces.take();
}
