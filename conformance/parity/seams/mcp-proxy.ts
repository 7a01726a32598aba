import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import { type AddressInfo, createServer as createSocketServer, type Server } from "node:net";
import { PassThrough, type Readable, type Writable } from "node:stream";
import { fileURLToPath } from "node:url";
import { StreamableHTTPClientTransport as HttpV2 } from "@modelcontextprotocol/client";
import { toNodeHandler } from "@modelcontextprotocol/node";
import { StreamableHTTPClientTransport as HttpV1 } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import { ReadBuffer, serializeMessage } from "@modelcontextprotocol/sdk/shared/stdio.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import { createMcpHandler } from "@modelcontextprotocol/server";
import type { Guardrail, GuardrailProvider } from "@toolstile/core";
import { startHttpProxy, startStdioProxy } from "@toolstile/mcp/proxy";
import { each, textOf } from "../playing.js";
import type { Report, Seam, Turn } from "../seam.js";
import { cannot, type Line, optionsOf, version1, version2 } from "./mcp.js";

/** A server of one of the SDK's lines over HTTP, and a client's transport to wherever it is reached. */
interface HttpLine extends Line {
  readonly serve: (turn: Turn) => Promise<RequestListener>;
  readonly transport: (url: URL) => unknown;
}

const withSessions: HttpLine = {
  ...version1,
  serve: async ({ tools }) => {
    const transport = new StreamableHTTPServerTransport({ sessionIdGenerator: randomUUID });
    await version1.server(tools).connect(transport as never);
    return (request, response) => void transport.handleRequest(request, response);
  },
  transport: (url) => new HttpV1(url),
};

const latest = version2("auto");
const withoutSessions: HttpLine = {
  ...latest,
  serve: async ({ tools }) => {
    const handler = toNodeHandler(createMcpHandler(() => latest.server(tools) as never));
    return (request, response) => void handler(request as never, response);
  },
  transport: (url) => new HttpV2(url),
};

/**
 * A guard whose answer waits for the word of a caller who has left.
 *
 * It crosses the network: what a guard says in the same instant may come first.
 */
function patient(guard: Guardrail, left: AbortSignal | undefined): Guardrail {
  if (left === undefined || left.aborted || !("evaluate" in guard)) return guard;
  const evaluate: GuardrailProvider["evaluate"] = (call) => {
    const answer = guard.evaluate(call);
    if (!(answer instanceof Promise)) return answer;
    return answer.then(async (decision) => {
      const { signal } = call;
      if (left.aborted && !signal.aborted) await once(signal, "abort");
      return decision;
    });
  };
  return { ...guard, evaluate };
}

/** A proxy that is at work, and a client's transport to it. */
interface Running {
  readonly transport: unknown;
  readonly close: () => Promise<void>;
}
type Start = (turn: Turn, options: ReturnType<typeof optionsOf>) => Promise<Running>;

const overHttp =
  (line: HttpLine): Start =>
  async (turn, options) => {
    const server = createServer(await line.serve(turn));
    const upstream = `http://127.0.0.1:${await portOf(server)}/mcp`;
    const proxy = await startHttpProxy({ ...options, upstream });
    return {
      transport: line.transport(new URL(proxy.url)),
      close: async () => {
        await proxy.close();
        server.closeAllConnections();
        server.close();
      },
    };
  };

/** The server that the proxy starts is a process of its own. What it says comes from here, where the tools are. */
const overStdio: Start = async ({ tools }, options) => {
  const server = createSocketServer((socket) => {
    socket.on("error", () => {});
    void version1.server(tools).connect(new StdioServerTransport(socket, socket) as never);
  });
  const [input, output] = [new PassThrough(), new PassThrough()];
  const proxy = await startStdioProxy({
    ...options,
    command: process.execPath,
    args: [bridge, String(await portOf(server))],
    input,
    output,
  });
  return {
    transport: lines(input, output),
    close: async () => {
      input.end();
      await proxy.exited;
      server.close();
    },
  };
};

const bridge = fileURLToPath(new URL("../stdio-to-socket.mjs", import.meta.url));

async function portOf(server: Server): Promise<number> {
  await once(server.listen(0, "127.0.0.1"), "listening");
  return (server.address() as AddressInfo).port;
}

/** A client's transport over streams that are there. */
function lines(input: Writable, output: Readable): Transport {
  const buffer = new ReadBuffer();
  const transport: Transport = {
    start: async () => {
      output.on("data", (chunk: Buffer) => {
        buffer.append(chunk);
        for (let message = buffer.readMessage(); message !== null; message = buffer.readMessage())
          transport.onmessage?.(message);
      });
    },
    send: async (message) => void input.write(serializeMessage(message)),
    close: async () => transport.onclose?.(),
  };
  return transport;
}

/** Closes the proxy of the turn before: a tool may still be told of an abort when its turn is over. */
let closeLast: (() => Promise<void>) | undefined;

async function play(line: Line, start: Start, turn: Turn): Promise<Report> {
  await closeLast?.();
  let settle: () => void = () => {};
  const settled = new Promise<void>((resolve) => {
    settle = resolve;
  });
  const observers = [...turn.observers, { name: "parity-settled", settle }];
  const isAborted = turn.signal?.aborted === true;
  const guardrails = turn.guardrails.map((guard) => patient(guard, turn.signal));
  const proxy = await start(turn, { ...optionsOf(turn), guardrails, observers });
  closeLast = proxy.close;
  const { call } = await line.connect(proxy.transport as never);
  const { values, ...rest } = await each(turn, async (asked): Promise<[string, string]> => {
    const result = (await call(asked, turn.signal)) as { readonly content: unknown };
    return [asked.callId, textOf(result.content)];
  });
  // A client that leaves waits for nobody, and its word is still on the way.
  if (rest.rejected !== undefined && !isAborted) await settled;
  return { read: new Map(values), ...rest };
}

const ways: readonly (readonly [string, Line, Start])[] = [
  [`HTTP, ${withSessions.name}`, withSessions, overHttp(withSessions)],
  [`HTTP, ${withoutSessions.name}`, withoutSessions, overHttp(withoutSessions)],
  [`stdio, ${version1.name}`, version1, overStdio],
];

export const mcpProxySeams: readonly Seam[] = ways.map(([name, line, start]) => ({
  name: `MCP proxy over ${name}`,
  isOlder: line === version1,
  mintsIds: true,
  cannot,
  play: (turn) => play(line, start, turn),
}));
