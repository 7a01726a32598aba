import {
  Client as ClientV2,
  StreamableHTTPClientTransport as HttpV2,
} from "@modelcontextprotocol/client";
import { StdioClientTransport as StdioV2 } from "@modelcontextprotocol/client/stdio";
import { Client as ClientV1 } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport as StdioV1 } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport as HttpV1 } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import {
  CreateMessageRequestSchema,
  ElicitRequestSchema,
  ListRootsRequestSchema,
} from "@modelcontextprotocol/sdk/types.js";

export type Line = "v1" | "v2";

/** What tests use of both lines' clients. */
export interface AnyClient {
  connect(transport: unknown): Promise<void>;
  close(): Promise<void>;
  listTools(): Promise<{ tools: { name: string; inputSchema: object }[] }>;
  callTool(params: object): Promise<{ content?: unknown; isError?: unknown }>;
  listResources(): Promise<{ resources: { uri: string }[] }>;
  readResource(params: { uri: string }): Promise<unknown>;
  listPrompts(): Promise<{ prompts: { name: string }[] }>;
  ping(): Promise<unknown>;
}

const info = { name: "test", version: "1.0.0" };
const capabilities = { sampling: {}, elicitation: {}, roots: {} };
const content = { type: "text", text: "Hello." } as const;
const sampled = { role: "assistant", model: "scripted", content } as const;
const declined = { action: "decline" } as const;
const roots = { roots: [{ uri: "file:///tmp" }] };

/** A client that answers what a server asks of it. */
export function clientOf(line: Line): AnyClient {
  if (line === "v1") {
    const client = new ClientV1(info, { capabilities });
    client.setRequestHandler(CreateMessageRequestSchema, () => sampled);
    client.setRequestHandler(ElicitRequestSchema, () => declined);
    client.setRequestHandler(ListRootsRequestSchema, () => roots);
    return client as unknown as AnyClient;
  }
  const client = new ClientV2(info, { capabilities });
  client.setRequestHandler("sampling/createMessage", () => sampled);
  client.setRequestHandler("elicitation/create", () => declined);
  client.setRequestHandler("roots/list", () => roots);
  return client as unknown as AnyClient;
}

export function stdioTo(line: Line, [command = "", ...args]: readonly string[], env: object) {
  const Transport = line === "v1" ? StdioV1 : StdioV2;
  return new Transport({ command, args, env: { ...env }, stderr: "ignore" });
}

export function httpTo(line: Line, url: string) {
  return line === "v1" ? new HttpV1(new URL(url)) : new HttpV2(new URL(url));
}
