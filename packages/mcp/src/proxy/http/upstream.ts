import {
  Agent as HttpAgent,
  request as httpRequest,
  type IncomingMessage,
  type OutgoingHttpHeaders,
} from "node:http";
import { Agent as HttpsAgent, request as httpsRequest } from "node:https";
import type { Socket } from "node:net";
import { ToolstileError } from "@toolstile/core";
import { isSuccess, readStatus, type UpstreamStatus } from "./upstream-status.js";

/** The most messages and answers at once that nothing here waits for. Of more, the oldest are given up. */
const mostUnheard = 1_000;

/** The most milliseconds that an unused connection is kept. Many servers close theirs after 5 seconds, not all say so. */
const mostIdleMs = 4_000;

/** The MCP server behind the proxy. No redirect is followed: the credential goes to no other address. */
export class Upstream {
  readonly #url: URL;
  readonly #credential: OutgoingHttpHeaders;
  readonly #agent: HttpAgent;
  /** Ends each of the messages and answers that nothing here waits for. */
  readonly #unheard = new Set<() => void>();
  readonly #report: (phase: string, error: ToolstileError) => void;
  /** The reason that operators were told last, until an answer is a success again. */
  #told: string | undefined;
  #idleMs = mostIdleMs;

  /**
   * @param report tells operators of a status that only they can do something about.
   * @throws ToolstileError `ERR_INVALID_OPTION` for an address that cannot be used.
   */
  constructor(
    url: URL,
    credential: OutgoingHttpHeaders,
    report: (phase: string, error: ToolstileError) => void,
  ) {
    if (url.protocol !== "http:" && url.protocol !== "https:") {
      throw new ToolstileError(
        "ERR_INVALID_OPTION",
        "upstream must be an http: or https: address, received another scheme.",
      );
    }
    if (url.username !== "" || url.password !== "") {
      throw new ToolstileError(
        "ERR_INVALID_OPTION",
        "upstream must be an address without a credential. Read the credential from an environment variable, and pass it as a header.",
      );
    }
    this.#report = report;
    this.#url = url;
    this.#credential = credential;
    const Agent = url.protocol === "https:" ? HttpsAgent : HttpAgent;
    this.#agent = new Agent({ keepAlive: true });
    const keep = this.#agent.keepSocketAlive.bind(this.#agent);
    this.#agent.keepSocketAlive = (socket) => {
      // What is sent as the server closes is lost, and a call must not be sent twice.
      if (this.#idleMs <= 0) return false;
      const isKept = keep(socket);
      (socket as Socket).setTimeout(this.#idleMs);
      return isKept;
    };
  }

  /** Resolves with the answer's head; rejects if there is none. */
  send(
    method: "POST" | "GET" | "DELETE",
    headers: OutgoingHttpHeaders,
    signal: AbortSignal,
    body?: Buffer | string,
  ): Promise<IncomingMessage> {
    const request = this.#url.protocol === "https:" ? httpsRequest : httpRequest;
    const ofBody =
      body === undefined ? {} : { ...utf8Json, "content-length": Buffer.byteLength(body) };
    const sent = request(this.#url, {
      method,
      agent: this.#agent,
      headers: { ...headers, ...this.#credential, ...ofBody },
    });
    // Out of reach of all that is called back later, which would keep it until there is an answer.
    sent.end(body);
    return new Promise((resolve, reject) => {
      let answer: IncomingMessage | undefined;
      // Node's own way to follow a signal gives the connection an error. Between
      // the end of an answer and the next request, nobody listens for one there,
      // and the process ends.
      const stop = (): void => void (answer?.complete === true || sent.destroy());
      sent.on("response", (response) => {
        // It can be ended after its last reader has finished, who then hears of no error.
        response.on("error", () => {});
        answer = response;
        if (isSuccess(response)) this.#told = undefined;
        this.#idleMs = idleMsOf(response);
        resolve(response);
      });
      sent.on("error", reject);
      // An answer that switches protocols, unasked, ends without either.
      sent.on("close", () => {
        signal.removeEventListener("abort", stop);
        reject(new Error("The MCP server gave no answer."));
      });
      signal.addEventListener("abort", stop);
      if (signal.aborted) stop();
    });
  }

  /** Reads the status of an answer that is not a success. Operators are told once of a problem that they can fix. */
  failedAs(response: IncomingMessage): UpstreamStatus {
    const status = readStatus(response);
    if (status.isOperators && status.reason !== this.#told) {
      this.#told = status.reason;
      this.#report("upstream", new ToolstileError("ERR_CONFIG", status.reason));
    }
    return status;
  }

  /** Posts a message that is not answered with one. A server cannot leave more than a bounded number of them hanging. */
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

  /** Reads an answer to its end, so that its connection can be used again. */
  discard(response: IncomingMessage): void {
    response.once(
      "close",
      this.#bound(() => response.destroy()),
    );
    response.resume();
  }

  /** @returns a function to call when it is over. */
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

/** Ends a second before the server does, if it says when. */
function idleMsOf({ headers }: IncomingMessage): number {
  const [, seconds] = /\btimeout=(\d+)/.exec(headers["keep-alive"]?.toString() ?? "") ?? [];
  return seconds === undefined ? mostIdleMs : Math.min(mostIdleMs, Number(seconds) * 1_000 - 1_000);
}

/** The type that every body was judged as. In another charset it would be another message: UTF-7 spells `tools/call` otherwise. */
const utf8Json = { "content-type": "application/json" };
