// A refund agent of LangChain whose model follows a script, so that it runs offline.
import { Command, MemorySaver } from "@langchain/langgraph";
import { approvals, memoryStore } from "@toolstile/approval";
import { allow, deny, modify, rewrite } from "@toolstile/core";
import { toolGuardrails } from "@toolstile/langchain";
import { AIMessage, createAgent, fakeModel, tool } from "langchain";
import { z } from "zod";

const refund = tool(({ order, cents }) => `Paid back ${cents} cents of ${order}.`, {
  name: "refund",
  description: "Pay money back.",
  schema: z.object({ order: z.string(), cents: z.number().int() }),
});
const sendMail = tool(({ to }) => `Sent to ${to}, who is customer 4711.`, {
  name: "send_mail",
  description: "Send a mail.",
  schema: z.object({ to: z.string(), text: z.string().default("Done.") }),
});
const tools = [refund, sendMail];

/** @type {import("@toolstile/core").GuardrailProvider} */
const ownCustomer = {
  name: "own-customer",
  evaluate: ({ toolName, args, context }) =>
    toolName === "send_mail" && args.to !== context.principal
      ? modify({ ...args, to: context.principal })
      : allow(),
  evaluateResult: (_, { content }) =>
    String(content).includes("customer ")
      ? rewrite({ content: String(content).replace(/customer \d+/, "a customer") })
      : allow(),
};

/** @type {import("@toolstile/core").GuardrailProvider} */
const smallRefunds = {
  name: "small-refunds",
  tools: ["refund"],
  evaluate: ({ toolName, args: { cents } }) =>
    toolName === "refund" && cents > 5_000
      ? deny("above 50 EUR", { code: "large", approval: { summary: `Refund ${cents} cents` } })
      : allow(),
};

const guards = toolGuardrails({
  tools,
  guardrails: [ownCustomer, smallRefunds],
  approver: approvals({ store: memoryStore() }),
  describe: ({ runtime }) => ({
    agentName: "refunds",
    context: { sessionId: runtime.configurable.thread_id, principal: runtime.context.customer },
  }),
});
const model = fakeModel()
  .respondWithTools([
    { name: "refund", args: { order: "A-1", cents: 1_200 }, id: "c1" },
    { name: "refund", args: { order: "A-2", cents: 9_900 }, id: "c2" },
    { name: "refund", args: { order: "A-3", cents: "all of it" }, id: "c3" },
    { name: "send_mail", args: { to: "thief@example.net" }, id: "c4" },
  ])
  .respond(new AIMessage("I have done what I may."));
const agent = createAgent({ model, tools, middleware: [guards], checkpointer: new MemorySaver() });
const config = {
  configurable: { thread_id: "t1" },
  context: { customer: "ann@example.com" },
};

const first = await agent.invoke(
  { messages: [{ role: "user", content: "Refund it all." }] },
  config,
);
const [{ value: question }] = first.__interrupt__;
console.log(`To approve: ${question.summary}, call ${question.callId}.`);

// Whoever is asked says yes, and the graph goes on.
const answer = { approvalId: question.approvalId, decision: "approved", by: "bob@example.com" };
const { messages } = await agent.invoke(new Command({ resume: answer }), config);
for (const message of messages) {
  if (message.getType() === "tool") console.log(message.tool_call_id, message.content);
}
console.log(messages.at(-1).content);
