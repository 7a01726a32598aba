import { MockLanguageModelV4 } from "ai/test";

const usage = { inputTokens: { total: 1 }, outputTokens: { total: 1 } };
const thief = "thief@example.net";
const calls = [
  ["c1", "refund", { order: "A-1", cents: 1_900, to: thief }],
  ["c2", "deleteOrder", { order: "A-1" }],
  ["c3", "refund", { order: "A-2", cents: 9_900, to: thief }],
].map(([toolCallId, toolName, input]) => ({
  type: "tool-call",
  toolCallId,
  toolName,
  input: JSON.stringify(input),
}));

/** In place of a model: it asks for three calls at once, then says what it read of them. */
export const model = new MockLanguageModelV4({
  doGenerate: async ({ prompt }) => {
    const read = prompt
      .filter(({ role }) => role === "tool")
      .flatMap(({ content }) => content)
      .filter(({ type }) => type === "tool-result");
    const text = read.map(({ toolCallId, output }) => `${toolCallId}: ${output.value}`).join("\n");
    const content = read.length === 0 ? calls : [{ type: "text", text }];
    const unified = read.length === 0 ? "tool-calls" : "stop";
    return { content, finishReason: { unified, raw: undefined }, usage, warnings: [] };
  },
});
