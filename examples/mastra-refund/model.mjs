import { MastraLanguageModelV2Mock } from "@mastra/core/test-utils/llm-mock";

const usage = { inputTokens: 1, outputTokens: 1, totalTokens: 2 };
const thief = "thief@example.net";
const turns = [
  [
    ["c1", "refund", { order: "A-1", cents: 1_900, to: thief }],
    ["c2", "deleteOrder", { order: "A-1" }],
  ],
  [["c3", "refund", { order: "A-2", cents: 9_900, to: thief }]],
].map((calls) =>
  calls.map(([toolCallId, toolName, input]) => ({
    type: "tool-call",
    toolCallId,
    toolName,
    input: JSON.stringify(input),
  })),
);

/** In place of a model: it asks for two calls at once, then for one, then says what it read of them. */
export const model = new MastraLanguageModelV2Mock({
  doGenerate: async ({ prompt }) => {
    const read = prompt
      .filter(({ role }) => role === "tool")
      .flatMap(({ content }) => content)
      .filter(({ type }) => type === "tool-result");
    const text = read.map(({ toolCallId, output }) => `${toolCallId}: ${output.value}`).join("\n");
    const content = turns.shift() ?? [{ type: "text", text }];
    const finishReason = content[0].type === "text" ? "stop" : "tool-calls";
    return { content, finishReason, usage, warnings: [] };
  },
});
