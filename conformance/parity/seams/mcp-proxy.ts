import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { StreamableHTTPClientTransport as HttpV2 } from "@modelcontextprotocol/client";
import { toNodeHandler } from "@modelcontextprotocol/node";
import { StreamableHTTPClientTransport as HttpV1 } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import { createMcpHandler } from "@modelcontextprotocol/server";
import type { Guardrail, GuardrailProvider } from "@toolstile/core";
import { startHttpProxy } from "@toolstile/mcp/proxy";
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

/** What the turn before left open: a tool may still be told of an abort when its turn is over. */
let closeLast: (() => Promise<void>) | undefined;

async function play(line: HttpLine, turn: Turn): Promise<Report> {
  await closeLast?.();
  const server = createServer(await line.serve(turn)).listen(0, "127.0.0.1");
  await once(server, "listening");
  const upstream = `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
  let settle: () => void = () => {};
  const settled = new Promise<void>((resolve) => {
    settle = resolve;
  });
  const observers = [...turn.observers, { name: "parity-settled", settle }];
  const isAborted = turn.signal?.aborted === true;
  const guardrails = turn.guardrails.map((guard) => patient(guard, turn.signal));
  const proxy = await startHttpProxy({ ...optionsOf(turn), guardrails, observers, upstream });
  closeLast = async () => {
    await proxy.close();
    server.closeAllConnections();
    server.close();
  };
  const { call } = await line.connect(line.transport(new URL(proxy.url)) as never);
  const { values, ...rest } = await each(turn, async (asked): Promise<[string, string]> => {
    const result = (await call(asked, turn.signal)) as { readonly content: unknown };
    return [asked.callId, textOf(result.content)];
  });
  // A client that leaves waits for nobody, and its word is still on the way.
  if (rest.rejected !== undefined && !isAborted) await settled;
  return { read: new Map(values), ...rest };
}

export const mcpProxySeams: readonly Seam[] = [withSessions, withoutSessions].map((line) => ({
  name: `MCP proxy over HTTP, ${line.name}`,
  mintsIds: true,
  cannot,
  play: (turn) => play(line, turn),
}));
