import { Agent } from "@mastra/core/agent";
import { createTool } from "@mastra/core/tools";
import { guardTools } from "@toolstile/mastra";
import { z } from "zod";
import { loadGuards } from "./guards.js";
import { scriptedModel } from "./model.js";
import type { Answer } from "./script.js";
import * as shop from "./shop.js";

const order = z.string();
const unguarded = {
  track_order: createTool({
    id: "track_order",
    description: "Say where an order is.",
    inputSchema: z.object({ order }),
    execute: async (of) => shop.trackOrder(of),
  }),
  refund: createTool({
    id: "refund",
    description: "Pay money back.",
    inputSchema: z.object({ order, cents: z.number().int() }),
    execute: async (of) => shop.refund(of),
  }),
  delete_order: createTool({
    id: "delete_order",
    description: "Delete an order.",
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
  const { model, read } = scriptedModel();
  const instructions = "Help with orders.";
  const agent = new Agent({ id: "support", name: "Support", instructions, model, tools });
  await agent.generate(prompt, { maxSteps: 5 });
  return read;
}
