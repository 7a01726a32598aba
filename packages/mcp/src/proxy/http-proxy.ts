import { createHmac, randomBytes } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { isId } from "../connection/json-rpc.js";
import { type Access, boundAddress, hostInUrl, path, refusedAccess } from "./access.js";
import { contradicts, headersForClient, headersForUpstream } from "./headers.js";
import { HttpChannel } from "./http-channel.js";
import { HttpReply } from "./http-reply.js";
import type { Connect, OnRefused } from "./link.js";
import { readMessage } from "./read-message.js";
import { errorsFor, type Refused } from "./refusals.js";
import { Sessions } from "./sessions.js";
import { readBody, type Upstream } from "./upstream.js";

export interface HttpProxy {
  /** What clients connect to. */
  readonly url: string;
  /** Settles what is open, and closes all connections. */
  close(): Promise<void>;
}

export interface HttpProxyParts {
  readonly connect: Connect;
  readonly upstream: Upstream;
  readonly access: Access;
  readonly maxMessageBytes: number;
  readonly maxSessions: number;
  readonly sessionIdleMs: number;
  readonly onRefused: OnRefused;
}

/** So long a client may take for a request's head, and for all of it. */
const headMs = 10_000;
const requestMs = 30_000;
const mostConnections = 1_000;

export async function startHttp(parts: HttpProxyParts): Promise<HttpProxy> {
  const { access, upstream } = parts;
  const front = new Front(parts);
  let port = access.port;
  const server = createServer(
    { headersTimeout: headMs, requestTimeout: requestMs, connectionsCheckingInterval: 1_000 },
    (request, response) => void front.serve(request, response, port),
  );
  server.maxConnections = mostConnections;
  server.listen({ host: boundAddress(access), port: access.port });
  await once(server, "listening");
  // Known from now on: a server that is closing has no address, and may still be asked.
  port = (server.address() as AddressInfo).port;
  return {
    url: `http://${hostInUrl(access.host)}:${port}${path}`,
    async close() {
      server.close();
      await front.close();
      server.closeAllConnections();
      upstream.close();
    },
  };
}

/** The proxy's HTTP side: checks who asks, and finds the channel that a request is for. */
class Front {
  readonly #parts: HttpProxyParts;
  readonly #sessions: Sessions;
  /** For all requests without a session, of revisions or servers that know none. */
  readonly #shared: HttpChannel;
  /** A session's id lets whoever has it in: guards and records get a stand-in. */
  readonly #key = randomBytes(32);

  constructor(parts: HttpProxyParts) {
    this.#parts = parts;
    this.#sessions = new Sessions(parts.maxSessions, parts.sessionIdleMs);
    this.#shared = this.#channel("shared", true);
  }

  async serve(request: IncomingMessage, response: ServerResponse, port: number): Promise<void> {
    if (response.socket === null) {
      // Sent before the last one was answered. No client of MCP does, one connection
      // could ask without end, and none of these would be told that the client has gone.
      request.socket.destroy();
      return;
    }
    const reply = new HttpReply(response);
    try {
      const refused = refusedAccess(request, this.#parts.access, port);
      if (refused !== undefined) return drop(request, reply, refused);
      if (request.method === "POST") return await this.#post(request, reply);
      if (request.method === "GET") return await this.#get(request, reply);
      if (request.method === "DELETE") return await this.#delete(request, reply);
      drop(request, reply, 405);
    } catch {
      // The client broke off, or a fault of ours: nothing was passed on.
      reply.status(500);
      reply.end();
    }
  }

  async close(): Promise<void> {
    const channels = [this.#shared, ...this.#sessions.clear()];
    await Promise.all(channels.map((channel) => channel.close("the proxy is closing")));
  }

  async #post(request: IncomingMessage, reply: HttpReply): Promise<void> {
    const { maxMessageBytes } = this.#parts;
    const { headers } = request;
    // A page can send other types without asking; and what is compressed, or in another charset, cannot be judged.
    if (
      !isJson.test(headers["content-type"] ?? "") ||
      (headers["content-encoding"] ?? "identity") !== "identity"
    ) {
      return drop(request, reply, 415);
    }
    const bytes = await readBody(request, maxMessageBytes);
    if (bytes === undefined) return drop(request, reply, 413);
    const reading = readMessage(bytes, maxMessageBytes);
    if (!reading.ok) return this.#refuse(reading, reply);
    if (contradicts(headers, reading.message)) {
      const { id } = reading.message;
      const reason = "its headers name another method or tool";
      return this.#refuse({ code: -32_600, reason, requestIds: isId(id) ? [id] : [] }, reply);
    }
    const { message } = reading;
    const channel = this.#channelOf(request);
    if (channel === undefined) return reply.status(503, { "retry-after": "10" });
    channel.post(
      {
        message,
        bytes,
        headers,
        passedOn: headersForUpstream(headers),
        remoteAddress: request.socket.remoteAddress,
      },
      reply,
    );
  }

  #refuse(refused: Refused, reply: HttpReply): void {
    this.#parts.onRefused("client", refused.reason);
    const { back, on } = errorsFor(refused);
    reply.code = 400;
    // A body is one message, and so is its answer.
    reply.message(JSON.stringify(back[0] ?? on[0]));
  }

  async #get(request: IncomingMessage, reply: HttpReply): Promise<void> {
    const channel = this.#channelOf(request);
    if (channel === undefined) return reply.status(503, { "retry-after": "10" });
    await channel.listen(headersForUpstream(request.headers), reply);
  }

  async #delete(request: IncomingMessage, reply: HttpReply): Promise<void> {
    const abort = new AbortController();
    reply.onGone(() => abort.abort());
    const headers = headersForUpstream(request.headers);
    try {
      const response = await this.#parts.upstream.send("DELETE", headers, abort.signal);
      this.#parts.upstream.discard(response);
      reply.headers = headersForClient(response.headers);
      const { statusCode = 502 } = response;
      reply.status(statusCode >= 300 && statusCode < 400 ? 502 : statusCode);
      const id = sessionOf(request);
      if (statusCode < 300 && id !== undefined) {
        await this.#sessions.take(id)?.close("the session has ended");
      }
    } catch {
      reply.status(502);
    }
  }

  /** What opens a session has none yet. */
  #channelOf(request: IncomingMessage): HttpChannel | undefined {
    const id = sessionOf(request);
    if (id === undefined) return this.#shared;
    return this.#sessions.get(id, () =>
      this.#channel(createHmac("sha256", this.#key).update(id).digest("base64url"), false),
    );
  }

  #channel(sessionId: string, isShared: boolean): HttpChannel {
    const { connect, upstream, maxMessageBytes, onRefused } = this.#parts;
    return new HttpChannel({ connect, upstream, maxMessageBytes, onRefused, sessionId, isShared });
  }
}

const isJson = /^application\/json\s*(;\s*charset\s*=\s*("utf-8"|utf-8)\s*)?$/i;

function sessionOf({ headers }: IncomingMessage): string | undefined {
  const id = headers["mcp-session-id"];
  // One without a name is none: servers read it so.
  return typeof id === "string" && id !== "" ? id : undefined;
}

/** What is not read is not waited for: the connection ends. */
function drop(request: IncomingMessage, reply: HttpReply, status: number): void {
  request.resume();
  reply.status(status, { connection: "close" });
}
