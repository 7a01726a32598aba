import { once } from "node:events";
import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import {
  Client as ClientV2,
  StreamableHTTPClientTransport as HttpV2,
} from "@modelcontextprotocol/client";
import { toNodeHandler } from "@modelcontextprotocol/node";
import { Client as ClientV1 } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as HttpV1 } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { McpServer as ServerV1 } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import { createMcpHandler, McpServer as ServerV2 } from "@modelcontextprotocol/server";
import { allowAll, type CallRecord, deny, type GuardrailProvider, modify } from "@toolstile/core";
import { fakeClock } from "@toolstile/testing";
import { afterEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { type GuardedConnectionOptions, guardServer, guardTransport } from "../src/index.js";
import { type Deferred, deferred } from "./support/deferred.js";

const info = { name: "test", version: "1.0.0" };
const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

async function listen(handler: RequestListener): Promise<URL> {
  const server: Server = createServer(handler).listen(0, "127.0.0.1");
  await once(server, "listening");
  closing.push(async () => {
    server.closeAllConnections();
    server.close();
  });
  return new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`);
}

interface Backend {
  readonly url: URL;
  readonly ran: unknown[];
  readonly headers: unknown[];
  readonly entered: Deferred<AbortSignal>;
}

type Guards = GuardedConnectionOptions | undefined;

function register(server: ServerV1 | ServerV2, backend: Omit<Backend, "url">): void {
  // biome-ignore lint/suspicious/noExplicitAny: the two lines' registerTool() have no type in common.
  const mcp = server as any;
  const inputSchema = z.object({ to: z.string().meta({ "x-mcp-header": "To" }) });
  mcp.registerTool("send", { description: "Send.", inputSchema }, (args: { to: string }) => {
    backend.ran.push(args);
    return { content: [{ type: "text", text: `Sent to ${args.to}.` }] };
  });
  mcp.registerTool("wait", { description: "Wait." }, (context: unknown) => {
    const { signal, mcpReq } = context as {
      signal?: AbortSignal;
      mcpReq?: { signal: AbortSignal };
    };
    backend.entered.resolve((signal ?? mcpReq?.signal) as AbortSignal);
    return new Promise(() => {});
  });
}

const guarded = <S extends ServerV1 | ServerV2>(server: S, guards: Guards): S =>
  guards === undefined ? server : guardServer(server as never, guards);

/** A server of version 1 with sessions. */
async function sessions(guards?: Guards): Promise<Backend> {
  const backend = { ran: [], headers: [] as unknown[], entered: deferred<AbortSignal>() };
  const transports = new Map<string, StreamableHTTPServerTransport>();
  const url = await listen(async (request, response) => {
    backend.headers.push(request.headers);
    let transport = transports.get(String(request.headers["mcp-session-id"]));
    if (transport === undefined) {
      const made = new StreamableHTTPServerTransport({
        sessionIdGenerator: () => crypto.randomUUID(),
        onsessioninitialized: (id) => void transports.set(id, made),
      });
      transport = made;
      const server = new ServerV1(info);
      register(server, backend);
      await guarded(server, guards).connect(transport as never);
      closing.push(() => server.close());
    }
    await transport.handleRequest(request, response);
  });
  return { ...backend, url };
}

/** A server of version 2, one instance for each request. */
async function handler(guards?: Guards): Promise<Backend> {
  const backend = { ran: [], headers: [] as unknown[], entered: deferred<AbortSignal>() };
  const made = createMcpHandler(() => {
    const server = new ServerV2(info);
    register(server, backend);
    return guarded(server, guards);
  });
  const node = toNodeHandler(made);
  const url = await listen((request, response) => {
    backend.headers.push(request.headers);
    void node(request as never, response);
  });
  closing.push(() => made.close());
  return { ...backend, url };
}

interface HttpClient {
  connect(transport: never): Promise<void>;
  close(): Promise<void>;
  listTools(): Promise<{ tools: unknown[] }>;
  callTool(params: object, options?: object): Promise<Record<string, unknown>>;
}

const pairs = [
  {
    name: "sessions of version 1",
    backend: sessions,
    hasParamHeaders: false,
    client: () => {
      const client = new ClientV1(info);
      const callTool = (params: never, options?: object) =>
        ClientV1.prototype.callTool.call(client, params, undefined, options);
      return Object.assign(client as unknown as HttpClient, { callTool });
    },
    transport: (url: URL) => new HttpV1(url),
  },
  {
    name: "the revision of 2026-07-28",
    backend: handler,
    hasParamHeaders: true,
    client: () =>
      new ClientV2(info, { versionNegotiation: { mode: "auto" } }) as unknown as HttpClient,
    transport: (url: URL) => new HttpV2(url),
  },
];

describe.each(pairs)(
  "guards over HTTP, $name",
  ({ backend, client, transport, hasParamHeaders }) => {
    async function connected(url: URL, guards?: Guards): Promise<HttpClient> {
      const made = client();
      const inner = transport(url) as never;
      await made.connect(guards === undefined ? inner : (guardTransport(inner, guards) as never));
      closing.push(() => made.close());
      return made;
    }
    const guards = (guard: GuardrailProvider): GuardedConnectionOptions => ({
      guardrails: [guard],
      unchecked: true,
      hideDenied: false,
    });
    const send = { name: "send", arguments: { to: "ada" } };
    const noMail = { name: "g", evaluate: () => deny("no mail") };
    const denied = {
      content: [{ type: "text", text: "Tool call denied: no mail" }],
      isError: true,
    };
    const toBob = { name: "g", evaluate: () => modify({ to: "böb" }) };

    it("deny at the client, whose server hears nothing of the call", async () => {
      const { url, ran } = await backend();
      const made = await connected(url, guards(noMail));
      expect(await made.callTool(send)).toMatchObject(denied);
      expect(ran).toEqual([]);
    });

    it("deny at the server", async () => {
      const { url, ran } = await backend(guards(noMail));
      const made = await connected(url);
      expect(await made.callTool(send)).toMatchObject(denied);
      expect(ran).toEqual([]);
    });

    it("P6 rewrite arguments at the client, and the headers that repeat them", async () => {
      const { url, ran, headers } = await backend();
      const made = await connected(url, guards(toBob));
      await made.listTools();
      expect(await made.callTool(send)).toMatchObject({ content: [{ text: "Sent to böb." }] });
      expect(ran).toEqual([{ to: "böb" }]);
      const repeated = headers.flatMap((each) => Object(each)["mcp-param-to"] ?? []);
      expect(repeated).toEqual(hasParamHeaders ? [`=?base64?${btoa("b\xc3\xb6b")}?=`] : []);
    });

    it("P6 rewrite arguments at the server", async () => {
      const { url, ran } = await backend(guards(toBob));
      const made = await connected(url);
      expect(await made.callTool(send)).toMatchObject({ content: [{ text: "Sent to böb." }] });
      expect(ran).toEqual([{ to: "böb" }]);
    });

    it("P4 tell the server that the client gave up, from either side", async () => {
      for (const at of ["client", "server"]) {
        const settled = deferred<unknown>();
        const observer = {
          name: "o",
          settle: ({ outcome }: CallRecord) => settled.resolve(outcome?.status),
        };
        const allowing = { ...guards(allowAll()), observers: [observer] };
        const { url, entered } = await backend(at === "server" ? allowing : undefined);
        const made = await connected(url, at === "client" ? allowing : undefined);
        const stop = new AbortController();
        const called = made.callTool({ name: "wait" }, { signal: stop.signal });
        const atServer = await entered.promise;
        stop.abort("enough");
        await expect(called).rejects.toThrow();
        if (!atServer.aborted) await once(atServer, "abort");
        expect(atServer.aborted).toBe(true);
        expect(await settled.promise).toBe("aborted");
      }
    });

    it("tell the server of a deadline of the guards'", async () => {
      const clock = fakeClock();
      const { url, entered } = await backend();
      const made = await connected(url, { ...guards(allowAll()), clock });
      const called = made.callTool({ name: "wait" });
      const atServer = await entered.promise;
      clock.advance(60_000);
      expect(await called).toMatchObject({
        content: [{ text: expect.stringContaining("did not answer in time") }],
        isError: true,
      });
      if (!atServer.aborted) await once(atServer, "abort");
      expect(atServer.aborted).toBe(true);
    });

    it("reject the call as without guards where the server cannot be reached", async () => {
      const { url } = await backend();
      const made = await connected(url, guards(allowAll()));
      await made.listTools();
      for (const close of closing.splice(0, closing.length - 1)) await close();
      await expect(made.callTool(send)).rejects.toThrow();
    });
  },
);
