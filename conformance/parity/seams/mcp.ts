import { Client as ClientV2, InMemoryTransport as MemoryV2 } from "@modelcontextprotocol/client";
import { Client as ClientV1 } from "@modelcontextprotocol/sdk/client/index.js";
import { InMemoryTransport as MemoryV1 } from "@modelcontextprotocol/sdk/inMemory.js";
import { Server as ServerV1 } from "@modelcontextprotocol/sdk/server/index.js";
import { CallToolRequestSchema, ListToolsRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import { Server as ServerV2 } from "@modelcontextprotocol/server";
import type { ToolResult } from "@toolstile/core";
import type { WorkbenchCallOptions } from "@toolstile/core/workbench";
import {
  type GuardableServer,
  type GuardedMcpWorkbench,
  guardServer,
  guardTransport,
  type McpClient,
  type McpTransport,
  McpWorkbench,
} from "@toolstile/mcp";
import {
  approvedIn,
  each,
  lastOf,
  readOf,
  statesFacts,
  textOf,
  throwReported,
} from "../playing.js";
import type { AskedCall, ParityTool, Report, Seam, Turn } from "../seam.js";

const info = { name: "parity", version: "1.0.0" };
const capabilities = { capabilities: { tools: {} } };

/** A client of either line that is connected, and how it calls a tool. */
interface Connected {
  readonly client: McpClient;
  readonly call: (call: AskedCall, signal: AbortSignal | undefined) => Promise<unknown>;
}

export interface Line {
  readonly name: string;
  readonly server: (tools: readonly ParityTool[]) => GuardableServer;
  readonly pair: () => [McpTransport, McpTransport];
  readonly connect: (transport: McpTransport) => Promise<Connected>;
}

function listed(tools: readonly ParityTool[]) {
  return tools.map(({ name, description, parameters }) => ({
    name,
    description,
    inputSchema: parameters as { type: "object" },
  }));
}

/** A server's answer to a call. As in the SDK's own servers, an error of the tool is an error result. */
async function answered(
  tools: readonly ParityTool[],
  { name, arguments: args }: { name: string; arguments?: unknown },
  signal: AbortSignal,
) {
  const own = tools.find((each) => each.name === name);
  try {
    const value = throwReported(await lastOf(own?.execute(args as never, signal)));
    return { content: [{ type: "text" as const, text: value === undefined ? "" : textOf(value) }] };
  } catch (error) {
    return { content: [{ type: "text" as const, text: String(error) }], isError: true };
  }
}

export const version1: Line = {
  name: "MCP SDK 1",
  server: (tools) => {
    const server = new ServerV1(info, capabilities);
    server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: listed(tools) }));
    server.setRequestHandler(CallToolRequestSchema, ({ params }, { signal }) =>
      answered(tools, params, signal),
    );
    return server;
  },
  pair: () => MemoryV1.createLinkedPair() as [McpTransport, McpTransport],
  connect: async (transport) => {
    const client = new ClientV1(info);
    await client.connect(transport as never);
    return {
      client: client as unknown as McpClient,
      call: ({ name, arguments: text }, signal) =>
        client.callTool({ name, arguments: text as never }, undefined, signal && { signal }),
    };
  },
};

export function version2(mode: "legacy" | "auto"): Line {
  return {
    name: mode === "auto" ? "MCP SDK 2, revision 2026-07-28" : "MCP SDK 2",
    server: (tools) => {
      const server = new ServerV2(info, capabilities);
      server.setRequestHandler("tools/list", () => ({ tools: listed(tools) }) as never);
      server.setRequestHandler("tools/call", ({ params }, { mcpReq }) =>
        answered(tools, params, mcpReq.signal),
      );
      return server;
    },
    pair: () => MemoryV2.createLinkedPair() as [McpTransport, McpTransport],
    connect: async (transport) => {
      const client = new ClientV2(info, { versionNegotiation: { mode } });
      await client.connect(transport as never);
      return {
        client: client as unknown as McpClient,
        call: ({ name, arguments: text }, signal) =>
          client.callTool({ name, arguments: text as never }, signal && { signal }),
      };
    },
  };
}

export function optionsOf({ guardrails, observers, approver, timeoutMs, describe }: Turn) {
  return { guardrails, observers, approver, timeoutMs, describe };
}

/** A client and a server, with guards at one end. */
async function connected(line: Line, turn: Turn, at: "client" | "server"): Promise<Connected> {
  const server = line.server(turn.tools);
  const [near, far] = line.pair();
  const options = optionsOf(turn);
  await (at === "server" ? guardServer(server, options) : server).connect(far);
  return line.connect(at === "client" ? guardTransport(near, options) : near);
}

async function play(line: Line, turn: Turn, at: "client" | "server"): Promise<Report> {
  const { call } = await connected(line, turn, at);
  const { values, ...rest } = await each(turn, async (asked): Promise<[string, string]> => {
    const result = (await call(asked, turn.signal)) as { readonly content: unknown };
    return [asked.callId, textOf(result.content)];
  });
  return { read: new Map(values), ...rest };
}

type Call = (
  bench: GuardedMcpWorkbench,
  call: AskedCall,
  options: WorkbenchCallOptions,
) => Promise<ToolResult>;

async function playOnBench(turn: Turn, call: Call): Promise<Report> {
  const { guardrails, observers, approver, timeoutMs, describe, signal } = turn;
  const line = version2("auto");
  const [near, far] = line.pair();
  await line.server(turn.tools).connect(far);
  const { client } = await line.connect(near);
  const bench = McpWorkbench.over(client, {
    guards: { guardrails, observers, approver, timeoutMs },
  });
  await bench.start();
  const { values, ...rest } = await each(turn, (asked) =>
    call(bench, asked, { ...(describe?.() as WorkbenchCallOptions), signal, callId: asked.callId }),
  );
  const resume = async (): Promise<Report> => {
    const result = await bench.resume(await approvedIn(turn.approver));
    return { read: new Map([readOf(result)]) };
  };
  return { read: new Map(values.map(readOf)), ...rest, resume };
}

export const cannot: Seam["cannot"] = {
  repeatedId:
    "A client of the SDK gives each call an id of its own, and a model's ids go no further.",
  approvalResumed:
    "What MCP sends back is an answer, with no place to go on from. An approver that answers while the call waits lifts a denial, as does McpWorkbench's resume().",
  approvalOtherTrace:
    "What MCP sends back is an answer, with no place to go on from. An approver that answers while the call waits lifts a denial, as does McpWorkbench's resume().",
};

const lines = [version1, version2("legacy"), version2("auto")];

export const mcpSeams: readonly Seam[] = [
  ...lines.flatMap((line): Seam[] => [
    {
      name: `guardTransport, ${line.name}`,
      isOlder: line === version1,
      mintsIds: true,
      cannot,
      play: (turn) => play(line, turn, "client"),
    },
    {
      name: `guardServer, ${line.name}`,
      isOlder: line === version1,
      mintsIds: true,
      cannot,
      play: (turn) => play(line, turn, "server"),
    },
  ]),
  {
    name: "McpWorkbench, callTool",
    cannot: statesFacts,
    play: (turn) =>
      playOnBench(turn, (bench, { name, arguments: args }, options) =>
        bench.callTool(name, args, options),
      ),
  },
  {
    name: "McpWorkbench, callToolStream",
    cannot: statesFacts,
    play: (turn) =>
      playOnBench(turn, async (bench, { name, arguments: args }, options) => {
        let last: unknown;
        for await (const piece of bench.callToolStream(name, args, options)) last = piece;
        return last as ToolResult;
      }),
  },
];
