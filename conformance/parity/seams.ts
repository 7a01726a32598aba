import type { Seam } from "./seam.js";
import { aiSdkSeams } from "./seams/ai-sdk.js";
import { claudeAgentSeams } from "./seams/claude-agent.js";
import { langchainSeams } from "./seams/langchain.js";
import { mastraSeams } from "./seams/mastra.js";
import { mcpSeams } from "./seams/mcp.js";
import { mcpProxySeams } from "./seams/mcp-proxy.js";
import { openaiSeams } from "./seams/openai.js";
import { openaiAgentsSeams } from "./seams/openai-agents.js";
import { runnerSeams } from "./seams/runner.js";
import { workbenchSeams } from "./seams/workbench.js";

/** Every way through which Toolstile lets calls reach tools. */
export const seams: readonly Seam[] = [
  ...runnerSeams,
  ...workbenchSeams,
  ...aiSdkSeams,
  ...openaiSeams,
  ...openaiAgentsSeams,
  ...langchainSeams,
  ...mastraSeams,
  ...claudeAgentSeams,
  ...mcpSeams,
  ...mcpProxySeams,
];
