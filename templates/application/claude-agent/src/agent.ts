import { createSdkMcpServer } from "@anthropic-ai/claude-agent-sdk";
import { guardQuery } from "@toolstile/claude-agent";
import { runScript } from "./claude.js";
import { loadGuards } from "./guards.js";
import type { Answer } from "./script.js";
import { definitions, tools } from "./tools.js";

/** Answers a prompt, and returns what the model read of each of its calls. */
export async function runAgent(_prompt: string): Promise<readonly Answer[]> {
  await using guards = await loadGuards();
  const options = guardQuery(
    { mcpServers: { shop: createSdkMcpServer({ name: "shop", tools }) }, settingSources: [] },
    {
      ...guards.runnerOptions(),
      tools: definitions,
      // Facts of your own about who asks, never what the model says.
      describe: () => ({ context: { sessionId: "session-1", principal: "ann@example.com" } }),
    },
  );
  // With Claude: for await (const message of query({ prompt, options })) …
  return await runScript(options);
}
