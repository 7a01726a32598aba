import type { AgentConfig } from "@mastra/core/agent";
import { MastraLanguageModelV2Mock } from "@mastra/core/test-utils/llm-mock";
import { type Answer, script } from "./script.js";

const usage = { inputTokens: 1, outputTokens: 1, totalTokens: 2 };

/**
 * In place of a model: asks for all calls of the script, keeps what it reads of them, then ends.
 * In its place goes `"openai/…"` or another.
 */
export function scriptedModel(): { model: AgentConfig["model"]; read: readonly Answer[] } {
  const read: Answer[] = [];
  const model = new MastraLanguageModelV2Mock({
    doGenerate: async ({ prompt }) => {
      const results = prompt.flatMap(({ role, content }) => (role === "tool" ? content : []));
      for (const { toolCallId, output } of results) {
        const text = typeof output.value === "string" ? output.value : JSON.stringify(output.value);
        read.push({ callId: toolCallId, text });
      }
      const isOver = results.length > 0;
      const calls = script.map(({ id, name, args }) => ({
        type: "tool-call" as const,
        toolCallId: id,
        toolName: name,
        input: JSON.stringify(args),
      }));
      return {
        content: isOver ? [{ type: "text" as const, text: "I have done what I may." }] : calls,
        finishReason: isOver ? ("stop" as const) : ("tool-calls" as const),
        usage,
        warnings: [],
      };
    },
  });
  // The mock's own type does not hold under exactOptionalPropertyTypes.
  return { model: model as unknown as AgentConfig["model"], read };
}
