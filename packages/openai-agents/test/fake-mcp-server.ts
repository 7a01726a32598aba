import type { CallToolResult, MCPServer, MCPToolErrorFunction } from "@openai/agents";

type Call = Parameters<MCPServer["callTool"]>;
type Answer = (args: Call[1], signal: AbortSignal | undefined) => unknown;

const inputSchema = {
  type: "object" as const,
  properties: { to: { type: "string" } },
  required: ["to"],
  additionalProperties: false,
};

const sent: Answer = (args) => ({ content: [{ type: "text", text: `sent to ${args?.to}` }] });

/** A server with one tool, `send_mail`, that notes what it was called with. */
export class FakeMcpServer implements MCPServer {
  readonly name = "mail";
  cacheToolsList = false;
  useStructuredContent = false;
  toolMetaResolver!: NonNullable<MCPServer["toolMetaResolver"]>;
  errorFunction!: MCPToolErrorFunction;
  connected = false;
  readonly calls: unknown[] = [];
  readonly #answer: Answer;

  constructor(answer: Answer = sent) {
    this.#answer = answer;
  }

  async connect(): Promise<void> {
    this.connected = true;
  }

  async close(): Promise<void> {
    this.connected = false;
  }

  async invalidateToolsCache(): Promise<void> {}

  async listTools() {
    return [{ name: "send_mail", description: "Sends a mail.", inputSchema }];
  }

  async callTool(...call: Call) {
    const { content, ...rest } = await this.callToolResult(...call);
    for (const [key, value] of Object.entries(rest)) Object.defineProperty(content, key, { value });
    return content;
  }

  async callToolResult(...[name, args, meta, options]: Call): Promise<CallToolResult> {
    this.calls.push({ name, args, meta });
    return (await this.#answer(args, options?.signal)) as CallToolResult;
  }
}
