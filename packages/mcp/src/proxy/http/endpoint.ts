import { createHmac, randomBytes } from "node:crypto";
import { once } from "node:events";
import {
  createServer,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  type ServerResponse,
} from "node:http";
import type { AddressInfo } from "node:net";
import { errorMessage, isId } from "../../message/json-rpc.js";
import { readMessage, withoutMark } from "../../message/read-message.js";
import { errorsFor, headerMismatch, type Refusal, serverError } from "../../message/refusal.js";
import type { SessionSettings } from "../options.js";
import { type Access, boundAddress, hostInUrl, path, refusedAccess } from "./access.js";
import { NoRoomError } from "./body-room.js";
import { corsHeaders, methods, preflight } from "./cors.js";
import { contradicts, headersForClient, headersForUpstream } from "./headers.js";
import type { ReadBounds } from "./read-answer.js";
import { readBody } from "./read-body.js";
import { HttpReply } from "./reply.js";
import { HttpSession } from "./session.js";
import { Sessions } from "./sessions.js";
import type { Upstream } from "./upstream.js";
import { isSuccess } from "./upstream-status.js";

export interface HttpProxy {
  /** The address that clients connect to. */
  readonly url: string;
  /** Settles what is open, and closes all connections. */
  close(): Promise<void>;
}

export interface EndpointSettings extends SessionSettings, ReadBounds {
  readonly upstream: Upstream;
  readonly access: Access;
  readonly maxSessions: number;
  readonly sessionIdleMs: number;
}

/** The time that a client may take for a request's head, and for all of it. */
const headMs = 10_000;
const requestMs = 30_000;
const mostConnections = 1_000;

export async function listen(settings: EndpointSettings): Promise<HttpProxy> {
  const { access, upstream } = settings;
  const endpoint = new Endpoint(settings);
  let port = access.port;
  const server = createServer(
    { headersTimeout: headMs, requestTimeout: requestMs, connectionsCheckingInterval: 1_000 },
    (request, response) => void endpoint.serve(request, response, port),
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
      await endpoint.close();
      server.closeAllConnections();
      upstream.close();
    },
  };
}

/** The proxy's MCP endpoint: checks who asks, and finds the session that a request is for. */
class Endpoint {
  readonly #settings: EndpointSettings;
  readonly #sessions: Sessions;
  /** The session of all requests without one, of revisions or servers that have none. */
  readonly #shared: HttpSession;
  /** A session's id gives access to it, so guards and records get another name, made with this key. */
  readonly #key = randomBytes(32);

  constructor(settings: EndpointSettings) {
    this.#settings = settings;
    this.#sessions = new Sessions(settings.maxSessions, settings.sessionIdleMs);
    this.#shared = this.#session("shared", true);
  }

  async serve(request: IncomingMessage, response: ServerResponse, port: number): Promise<void> {
    // A client can break off when nobody reads its body any more, or not yet.
    request.on("error", () => {});
    if (response.socket === null) {
      // Sent before the last one was answered. No client of MCP does that. One connection
      // could ask without end, and its requests would not learn that the client has gone.
      request.socket.destroy();
      return;
    }
    const reply = new HttpReply(
      response,
      corsHeaders(request, this.#settings.access.allowedOrigins),
    );
    try {
      const refused = refusedAccess(request, this.#settings.access, port);
      if (refused !== undefined) return drop(request, reply, refused);
      if (request.method === "POST") return await this.#post(request, reply);
      if (request.method === "GET") return await this.#get(request, reply);
      if (request.method === "DELETE") return await this.#delete(request, reply);
      if (request.method === "OPTIONS" && request.headers.origin !== undefined) {
        request.resume();
        return reply.status(204, preflight(request));
      }
      drop(request, reply, 405, { allow: methods });
    } catch (error) {
      if (error instanceof NoRoomError) return this.#refuseForNow(request, reply, error);
      // The client broke off, or a fault of this library: nothing was passed on.
      reply.status(500);
      reply.end();
    }
  }

  async close(): Promise<void> {
    const sessions = [this.#shared, ...this.#sessions.clear()];
    await Promise.all(sessions.map((session) => session.close("the proxy is closing")));
  }

  async #post(request: IncomingMessage, reply: HttpReply): Promise<void> {
    const { maxMessageBytes, room } = this.#settings;
    const { headers } = request;
    // A web page can send other types without permission. A compressed body, or another charset, cannot be judged.
    if (
      !isJson.test(headers["content-type"] ?? "") ||
      (headers["content-encoding"] ?? "identity") !== "identity"
    ) {
      return drop(request, reply, 415);
    }
    const body = await readBody(request, maxMessageBytes, room.ofClient());
    if (body === undefined) return drop(request, reply, 413);
    const bytes = withoutMark(body);
    const reading = readMessage(bytes, maxMessageBytes);
    if (!reading.ok) return this.#refuse(reading, reply);
    if (contradicts(headers, reading.message)) {
      const { id } = reading.message;
      const reason = "its headers name another method or tool";
      const requestIds = isId(id) ? [id] : [];
      return this.#refuse({ code: headerMismatch, reason, requestIds, answeredIds: [] }, reply);
    }
    const { message } = reading;
    const { remoteAddress } = request.socket;
    this.#sessionOf(request, reply)?.post({ message, bytes, headers, remoteAddress }, reply);
  }

  #refuse(refusal: Refusal, reply: HttpReply): void {
    this.#settings.onRefused("client", refusal.reason);
    const { back, on } = errorsFor(refusal);
    reply.code = 400;
    // One body is one message, and so is its answer.
    reply.message(JSON.stringify(back[0] ?? on[0]));
  }

  /** Nothing was passed on. The rest of the body is not kept, and the connection then ends. */
  #refuseForNow(request: IncomingMessage, reply: HttpReply, { message }: NoRoomError): void {
    this.#settings.onRefused("client", "there is no room for it now");
    request.resume();
    reply.code = 503;
    reply.headers = { ...reply.headers, "retry-after": "1", connection: "close" };
    reply.message(JSON.stringify(errorMessage(null, serverError, message)));
  }

  async #get(request: IncomingMessage, reply: HttpReply): Promise<void> {
    await this.#sessionOf(request, reply)?.listen(headersForUpstream(request.headers), reply);
  }

  async #delete(request: IncomingMessage, reply: HttpReply): Promise<void> {
    const abort = new AbortController();
    reply.onGone(() => abort.abort());
    const headers = headersForUpstream(request.headers);
    try {
      const response = await this.#settings.upstream.send("DELETE", headers, abort.signal);
      this.#settings.upstream.discard(response);
      reply.headers = headersForClient(response.headers);
      const { upstream } = this.#settings;
      const { statusCode = 200 } = response;
      reply.status(isSuccess(response) ? statusCode : upstream.failedAs(response).code);
      const id = sessionIdOf(request);
      if (isSuccess(response) && id !== undefined) {
        await this.#sessions.take(id)?.close("the session has ended");
      }
    } catch {
      reply.status(502);
    }
  }

  /** The session of a request; if there may be no more, the request is answered. A request that opens a session has none yet. */
  #sessionOf(request: IncomingMessage, reply: HttpReply): HttpSession | undefined {
    const id = sessionIdOf(request);
    if (id === undefined) return this.#shared;
    const session = this.#sessions.get(id, () =>
      this.#session(createHmac("sha256", this.#key).update(id).digest("base64url"), false),
    );
    if (session === undefined) reply.status(503, { "retry-after": "10" });
    return session;
  }

  #session(sessionId: string, isShared: boolean): HttpSession {
    return new HttpSession({ ...this.#settings, sessionId, isShared });
  }
}

const isJson = /^application\/json\s*(;\s*charset\s*=\s*("utf-8"|utf-8)\s*)?$/i;

function sessionIdOf({ headers }: IncomingMessage): string | undefined {
  const id = headers["mcp-session-id"];
  // Servers read an empty id as none.
  return typeof id === "string" && id !== "" ? id : undefined;
}

/** Answers a request whose body is not read. Its connection then ends. */
function drop(
  request: IncomingMessage,
  reply: HttpReply,
  status: number,
  headers: OutgoingHttpHeaders = {},
): void {
  request.resume();
  reply.status(status, { ...headers, connection: "close" });
}
