import { guardTools } from "@toolstile/ai-sdk";
import { generateText, stepCountIs, tool } from "ai";
import { z } from "zod";
import { loadGuards } from "./guards.js";
import { model } from "./model.js";
import type { Answer } from "./script.js";
import * as shop from "./shop.js";

const order = z.string();
const unguarded = {
  track_order: tool({
    inputSchema: z.object({ order }),
    execute: async (of) => shop.trackOrder(of),
  }),
  refund: tool({
    inputSchema: z.object({ order, cents: z.int() }),
    execute: async (of) => shop.refund(of),
  }),
  delete_order: tool({
    inputSchema: z.object({ order }),
    execute: async (of) => shop.deleteOrder(of),
  }),
};

/** Answers a prompt, and returns what the model read of each of its calls. */
export async function runAgent(prompt: string): Promise<readonly Answer[]> {
  await using guards = await loadGuards();
  const tools = guardTools(unguarded, {
    ...guards.runnerOptions(),
    // Facts of your own about who asks, never what the model says.
    describe: () => ({ context: { sessionId: "session-1", principal: "ann@example.com" } }),
  });
  const { steps } = await generateText({ model, tools, prompt, stopWhen: stepCountIs(5) });
  const answers = steps.flatMap(({ content }) =>
    content.flatMap((part) => {
      if (part.type === "tool-result")
        return [{ callId: part.toolCallId, text: String(part.output) }];
      if (part.type === "tool-error")
        return [{ callId: part.toolCallId, text: String(part.error) }];
      return [];
    }),
  );
  return answers.toSorted((one, other) => one.callId.localeCompare(other.callId));
}
