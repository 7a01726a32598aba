import { Agent, Runner, tool } from "@openai/agents";
import { guardTools } from "@toolstile/openai-agents";
import { z } from "zod";
import { loadGuards } from "./guards.js";
import { scriptedModel } from "./model.js";
import type { Answer } from "./script.js";
import * as shop from "./shop.js";

const order = z.string();
const unguarded = [
  tool({
    name: "track_order",
    description: "Say where an order is.",
    parameters: z.object({ order }),
    execute: shop.trackOrder,
  }),
  tool({
    name: "refund",
    description: "Pay money back.",
    parameters: z.object({ order, cents: z.number().int() }),
    execute: shop.refund,
  }),
  tool({
    name: "delete_order",
    description: "Delete an order.",
    parameters: z.object({ order }),
    execute: shop.deleteOrder,
  }),
];

/** Answers a prompt, and returns what the model read of each of its calls. */
export async function runAgent(prompt: string): Promise<readonly Answer[]> {
  await using guards = await loadGuards();
  const tools = guardTools(unguarded, {
    ...guards.runnerOptions(),
    // Facts of your own about who asks, never what the model says.
    describe: () => ({ context: { sessionId: "session-1", principal: "ann@example.com" } }),
  });
  const agent = new Agent({ name: "support", instructions: "Help with orders.", tools });
  const runner = new Runner({ model: scriptedModel(), tracingDisabled: true });
  const { newItems } = await runner.run(agent, prompt);
  return newItems.flatMap((item) =>
    item.type === "tool_call_output_item" && "callId" in item.rawItem
      ? [{ callId: String(item.rawItem.callId), text: String(item.output) }]
      : [],
  );
}
