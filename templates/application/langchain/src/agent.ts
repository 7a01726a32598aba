import { toolGuardrails } from "@toolstile/langchain";
import { createAgent, ToolMessage, tool } from "langchain";
import { z } from "zod";
import { loadGuards } from "./guards.js";
import { scriptedModel } from "./model.js";
import type { Answer } from "./script.js";
import * as shop from "./shop.js";

const order = z.string();
const tools = [
  tool(shop.trackOrder, {
    name: "track_order",
    description: "Say where an order is.",
    schema: z.object({ order }),
  }),
  tool(shop.refund, {
    name: "refund",
    description: "Pay money back.",
    schema: z.object({ order, cents: z.number().int() }),
  }),
  tool(shop.deleteOrder, {
    name: "delete_order",
    description: "Delete an order.",
    schema: z.object({ order }),
  }),
];

/** Answers a prompt, and returns what the model read of each of its calls. */
export async function runAgent(prompt: string): Promise<readonly Answer[]> {
  await using guards = await loadGuards();
  const guarded = toolGuardrails({
    tools,
    ...guards.runnerOptions(),
    // Facts of your own about who asks, never what the model says.
    describe: () => ({ context: { sessionId: "session-1", principal: "ann@example.com" } }),
  });
  const agent = createAgent({ model: scriptedModel(), tools, middleware: [guarded] });
  const { messages } = await agent.invoke({ messages: [{ role: "user", content: prompt }] });
  return messages.flatMap((message) =>
    ToolMessage.isInstance(message)
      ? [{ callId: message.tool_call_id, text: String(message.content) }]
      : [],
  );
}
