/** The frameworks for which there is a template: folders of it, in the order in which they are offered. */
export const frameworks = [
  { name: "none", summary: "a loop of your own around a chat model" },
  { name: "openai-agents", summary: "the OpenAI Agents SDK" },
  { name: "ai-sdk", summary: "the AI SDK, 6 or 7" },
  { name: "langchain", summary: "LangChain" },
  { name: "mastra", summary: "Mastra" },
  { name: "claude-agent", summary: "the Claude Agent SDK" },
  { name: "mcp", summary: "a proxy before an MCP server" },
] as const;
