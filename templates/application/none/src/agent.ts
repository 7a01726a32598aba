import { ToolRunner, tool } from "@toolstile/core";
import { z } from "zod";
import { loadGuards } from "./guards.js";
import { complete, type Message } from "./model.js";
import type { Answer } from "./script.js";
import * as shop from "./shop.js";

const order = z.string();
const tools = [
  tool({ name: "track_order", parameters: z.object({ order }), execute: shop.trackOrder }),
  tool({
    name: "refund",
    parameters: z.object({ order, cents: z.int() }),
    execute: shop.refund,
  }),
  tool({ name: "delete_order", parameters: z.object({ order }), execute: shop.deleteOrder }),
];

/** Answers a prompt, and returns what the model read of each of its calls. */
export async function runAgent(prompt: string): Promise<readonly Answer[]> {
  await using guards = await loadGuards();
  const runner = new ToolRunner({ tools, ...guards.runnerOptions() });
  const messages: Message[] = [{ role: "user", content: prompt }];
  const answers: Answer[] = [];
  for (let turn = 0; turn < 20; turn++) {
    const message = await complete(messages);
    messages.push(message);
    const { tool_calls = [] } = message;
    if (tool_calls.length === 0) return answers;
    const outcomes = await runner.runAll(
      tool_calls.map((call) => ({ callId: call.id, ...call.function })),
      // Facts of your own about who asks, never what the model says.
      { context: { sessionId: "session-1", principal: "ann@example.com" } },
    );
    for (const { callId, result } of outcomes) {
      const { content } = result;
      const text = typeof content === "string" ? content : JSON.stringify(content);
      messages.push({ role: "tool", tool_call_id: callId, content: text });
      answers.push({ callId, text });
    }
  }
  throw new Error("The model still calls tools after 20 turns.");
}
