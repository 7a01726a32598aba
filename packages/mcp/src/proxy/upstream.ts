import {
  Agent as HttpAgent,
  request as httpRequest,
  type IncomingMessage,
  type OutgoingHttpHeaders,
} from "node:http";
import { Agent as HttpsAgent, request as httpsRequest } from "node:https";
import { ToolstileError } from "@toolstile/core";

/** The MCP server behind the proxy. No redirect is followed: a credential goes where it was meant to go only. */
export class Upstream {
  readonly #url: URL;
  readonly #credential: OutgoingHttpHeaders;
  readonly #agent: HttpAgent;

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
  const pieces: Buffer[] = [];
  let length = 0;
  // Whoever sent too much is still told so.
  for await (const piece of stream.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    length += piece.length;
    if (length > maxBytes) return undefined;
    pieces.push(piece);
  }
  return pieces.length === 1 ? (pieces[0] as Buffer) : Buffer.concat(pieces);
}
