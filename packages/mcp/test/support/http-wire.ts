import { once } from "node:events";
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  request,
  type ServerResponse,
} from "node:http";
import type { AddressInfo } from "node:net";
import { allowAll } from "@toolstile/core";
import { type HttpProxyOptions, startHttpProxy } from "../../src/proxy/index.js";

/** What the upstream was sent. */
export interface Received {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  readonly request: IncomingMessage;
}
export type Play = (received: Received, response: ServerResponse) => void;

/** An upstream that the test plays, a proxy in front of it, and a client that says anything. */
export class HttpWire {
  readonly received: Received[] = [];
  readonly refused: string[] = [];
  /** What the upstream does with anything but a list of tools. */
  play: Play = (_, response) => response.writeHead(202).end();
  /** How it gives one. */
  list: (answer: object, response: ServerResponse) => void = (message, response) =>
    answerJson(response, message);
  #close: (() => Promise<void>)[] = [];
  url = "";
  upstreamUrl = "";

  static async open(options: Partial<HttpProxyOptions> = {}): Promise<HttpWire> {
    const wire = new HttpWire();
    const server = createServer((asked, response) => void wire.#take(asked, response));
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    wire.upstreamUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
    const proxy = await startHttpProxy({
      upstream: wire.upstreamUrl,
      guardrails: [allowAll()],
      unchecked: true,
      passMethods: ["x", "x/y", "notifications/x", "notifications/left", "n", "m"],
      onRefused: (from, reason) => wire.refused.push(`${from}: ${reason}`),
      ...options,
    });
    wire.url = proxy.url;
    wire.#close = [
      () => proxy.close(),
      async () => {
        server.closeAllConnections();
        server.close();
      },
    ];
    return wire;
  }

  async close(): Promise<void> {
    for (const close of this.#close) await close();
  }

  /** Those of the client's, without the connection's own lists. */
  get calls(): readonly Received[] {
    return this.received.filter(({ body }) => !body.includes('"tools/list"'));
  }

  async #take(asked: IncomingMessage, response: ServerResponse): Promise<void> {
    let body = "";
    for await (const piece of asked.setEncoding("utf8")) body += piece;
    const { method = "", url = "", headers } = asked;
    const received = { method, url, headers, body, request: asked };
    this.received.push(received);
    if (!body.includes('"tools/list"')) return this.play(received, response);
    const properties = { to: { type: "string", "x-mcp-header": "To" } };
    const tools = [{ name: "one", inputSchema: { type: "object", properties } }];
    this.list({ jsonrpc: "2.0", id: JSON.parse(body).id, result: { tools } }, response);
  }

  post(message: unknown, headers: Record<string, string> = {}, signal?: AbortSignal) {
    return fetch(this.url, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
        ...headers,
      },
      body: typeof message === "string" ? message : JSON.stringify(message),
      ...(signal !== undefined && { signal }),
    });
  }

  /** A request with headers that fetch does not let anybody set. */
  async raw(method: string, headers: Record<string, string>, path = "/mcp", body = "{}") {
    const { hostname, port } = new URL(this.url);
    const sent = request({ host: hostname, port, path, method, headers }).end(body);
    const [response] = (await once(sent, "response")) as [IncomingMessage];
    response.resume();
    return response.statusCode;
  }
}

export function answerJson(response: ServerResponse, message: object, status = 200): void {
  response.writeHead(status, { "content-type": "application/json" });
  response.end(JSON.stringify(message));
}

export function startEvents(response: ServerResponse): void {
  response.writeHead(200, { "content-type": "text/event-stream" });
}

export function call(id: unknown, args: object = {}, name = "one"): object {
  return { jsonrpc: "2.0", id, method: "tools/call", params: { name, arguments: args } };
}

export function answer(id: unknown, text = "ok"): object {
  return { jsonrpc: "2.0", id, result: { content: [{ type: "text", text }] } };
}
