import { fileURLToPath } from "node:url";
import { Client as ClientV2, InMemoryTransport as MemoryV2 } from "@modelcontextprotocol/client";
import { StdioClientTransport as StdioV2 } from "@modelcontextprotocol/client/stdio";
import { Client as ClientV1 } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport as StdioV1 } from "@modelcontextprotocol/sdk/client/stdio.js";
import { McpServer } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { allowAll, deny, forTools } from "@toolstile/core";
import { afterEach, describe, expect, it } from "vitest";
import { guardServer, guardTransport, type McpTransport } from "../src/index.js";
import type { TestClient } from "./support/sdk-lines.js";

const path = fileURLToPath(new URL("fixtures/stdio-server.mjs", import.meta.url));
const server = { command: process.execPath, args: [path] };
const info = { name: "test", version: "1.0.0" };
const guards = {
  guardrails: [allowAll(), forTools(["wait"], { name: "g", evaluate: () => deny("no waiting") })],
  unchecked: true,
};
const denied = { content: [{ type: "text", text: "Tool call denied: no waiting" }], isError: true };

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

describe("guards over standard streams", () => {
  it.each<[string, () => { connect(transport: never): Promise<void> }, () => unknown]>([
    ["version 1", () => new ClientV1(info), () => new StdioV1(server)],
    ["version 2", () => new ClientV2(info), () => new StdioV2(server)],
    [
      "version 2, which asks a process of its own for the revision first",
      () => new ClientV2(info, { versionNegotiation: { mode: "auto" } }),
      () => new StdioV2(server),
    ],
  ])("stand in front of a server that is a process: %s", async (_, client, transport) => {
    const made = client() as unknown as TestClient;
    await made.connect(guardTransport(transport() as McpTransport, guards));
    closing.push(() => made.close());
    expect(await made.callTool({ name: "wait" })).toMatchObject(denied);
    expect(await made.callTool({ name: "echo", arguments: { text: "hi" } })).toMatchObject({
      content: [{ type: "text", text: "hi" }],
    });
  });

  it("stand in a server that serveStdio() makes for its client's revision", async () => {
    const [near, far] = MemoryV2.createLinkedPair();
    const ran: unknown[] = [];
    const served = serveStdio(
      () => {
        const mcp = new McpServer(info);
        mcp.registerTool("wait", { description: "Wait." }, () => {
          ran.push("wait");
          return { content: [] };
        });
        return guardServer(mcp, guards);
      },
      { transport: far },
    );
    const client = new ClientV2(info, { versionNegotiation: { mode: "auto" } });
    await client.connect(near);
    closing.push(
      () => client.close(),
      () => served.close(),
    );
    expect(client.getProtocolEra()).toBe("modern");
    expect(await client.callTool({ name: "wait" })).toMatchObject(denied);
    expect(ran).toEqual([]);
  });
});
