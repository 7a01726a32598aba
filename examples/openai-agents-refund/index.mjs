// A refund agent of the OpenAI Agents SDK whose model follows a script, so that it runs offline.
import { Agent, Runner, tool } from "@openai/agents";
import { assistantMessage, functionCall, ScriptedModel } from "@openai/agents/testing";
import { allow, deny, modify } from "@toolstile/core";
import { guardTools } from "@toolstile/openai-agents";
import { schemaValidation } from "@toolstile/schema";
import { z } from "zod";

const refund = tool({
  name: "refund",
  description: "Pay money back.",
  parameters: z.object({ order: z.string(), cents: z.number().int() }),
  execute: ({ order, cents }) => `Paid back ${cents} cents of ${order}.`,
});

const sendMail = tool({
  name: "send_mail",
  description: "Send a mail.",
  parameters: z.object({ to: z.string(), text: z.string() }),
  execute: ({ to }) => `Sent to ${to}.`,
});

/** @type {import("@toolstile/core").GuardrailProvider} */
const smallRefunds = {
  name: "small-refunds",
  tools: ["refund"],
  evaluate: ({ toolName, args }) =>
    toolName === "refund" && Number(args.cents) > 5_000
      ? deny("refunds above 50 EUR are a human's to make")
      : allow(),
};

/** @type {import("@toolstile/core").GuardrailProvider} */
const ownCustomer = {
  name: "own-customer",
  evaluate: ({ toolName, args, context }) =>
    toolName === "send_mail" && args.to !== context.principal
      ? modify({ ...args, to: context.principal })
      : allow(),
};

const agent = new Agent({
  name: "refunds",
  tools: guardTools([refund, sendMail], {
    guardrails: [schemaValidation(), smallRefunds, ownCustomer],
    describe: ({ context }) => ({ agentName: "refunds", context: { principal: context.customer } }),
  }),
});

const turn = [
  functionCall("refund", { order: "A-1", cents: 1_200 }, { callId: "c1" }),
  functionCall("refund", { order: "A-2", cents: 990_000 }, { callId: "c2" }),
  functionCall("refund", { order: "A-3", cents: "all of it" }, { callId: "c3" }),
  functionCall("send_mail", { to: "thief@example.net", text: "Done." }, { callId: "c4" }),
];
const model = new ScriptedModel([turn, [assistantMessage("I have done what I may.")]]);
const result = await new Runner({ model, tracingDisabled: true }).run(agent, "Refund it all.", {
  context: { customer: "ann@example.com" },
});

for (const item of result.newItems) {
  if (item.type === "tool_call_output_item") console.log(item.rawItem.callId, item.output);
}
console.log(result.finalOutput);
