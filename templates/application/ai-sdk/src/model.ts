import type { LanguageModel } from "ai";
import { script } from "./script.js";

const usage = { inputTokens: { total: 1 }, outputTokens: { total: 1 } };

/** In place of a model: asks for all calls of the script, then ends. In its place goes `openai("…")` or another. */
export const model = {
  specificationVersion: "v3",
  provider: "offline",
  modelId: "offline",
  supportedUrls: {},
  async doGenerate({ prompt }: { prompt: readonly { role: string }[] }) {
    const isOver = prompt.some(({ role }) => role === "tool");
    const calls = script.map(({ id, name, args }) => ({
      type: "tool-call",
      toolCallId: id,
      toolName: name,
      input: JSON.stringify(args),
    }));
    return {
      content: isOver ? [{ type: "text", text: "I have done what I may." }] : calls,
      finishReason: { unified: isOver ? "stop" : "tool-calls", raw: undefined },
      usage,
      warnings: [],
    };
  },
  // The SDK's type of a model has parts that a script needs none of.
} as unknown as LanguageModel;
