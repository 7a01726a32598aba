import { guardTools, toolApproval } from "@toolstile/ai-sdk";
import { approvals, memoryStore } from "@toolstile/approval";
import { allow, deny, modify } from "@toolstile/core";
import { generateText, isStepCount, tool } from "ai";
import { z } from "zod";
import { model } from "./model.mjs";

const refunds = {
  refund: tool({
    description: "Pay an order back.",
    inputSchema: z.object({ order: z.string(), cents: z.number(), to: z.string() }),
    execute: async ({ order, cents, to }) => `Refunded ${cents} cents of ${order} to ${to}.`,
  }),
  deleteOrder: tool({
    description: "Delete an order.",
    inputSchema: z.object({ order: z.string() }),
    execute: async ({ order }) => `Deleted ${order}.`,
  }),
};

/** Money goes back to the customer of the session, and orders are kept. */
const ownCustomerOnly = {
  name: "own-customer-only",
  evaluate({ toolName, args, context }) {
    if (toolName !== "refund") return deny("orders are kept");
    return args.to === context.principal ? allow() : modify({ ...args, to: context.principal });
  },
};

/** Above 50 EUR somebody has to agree. */
const limit = {
  name: "limit",
  evaluate: ({ args: { cents } }) =>
    cents > 5_000
      ? deny("above 50 EUR", { code: "large", approval: { summary: `Refund ${cents} cents` } })
      : allow(),
};

const approver = approvals({ store: memoryStore() });
const tools = guardTools(refunds, {
  guardrails: [ownCustomerOnly, limit],
  approver,
  describe: () => ({ context: { sessionId: "s1", principal: "ann@example.com" } }),
});
// This is for ai 7. In ai 6, isStepCount is stepCountIs, and guardTools takes requestApproval: true for toolApproval.
const agent = { model, tools, toolApproval: toolApproval(tools), stopWhen: isStepCount(5) };

const messages = [{ role: "user", content: "Refund my two orders, then delete them." }];
const first = await generateText({ ...agent, messages });
messages.push(...first.response.messages);

// The SDK hands out a request; whoever is asked answers Toolstile's approver, which is the authority.
const request = first.content.find(({ type }) => type === "tool-approval-request");
const { records } = await approver.list();
const asked = records.find(({ question }) => question.callId === request.toolCall.toolCallId);
console.log(`To approve: ${request.reason}, for ${asked.question.args.to}.`);
await approver.answer(asked.id, { decision: "approved", by: "bob@example.com" });
const response = { type: "tool-approval-response", approvalId: request.approvalId, approved: true };
messages.push({ role: "tool", content: [response] });

const second = await generateText({ ...agent, messages });
console.log(second.text);
