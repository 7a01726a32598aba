import { Mastra } from "@mastra/core";
import { Agent } from "@mastra/core/agent";
import { InMemoryStore } from "@mastra/core/storage";
import { createTool } from "@mastra/core/tools";
import { approvals, memoryStore } from "@toolstile/approval";
import { allow, deny, modify } from "@toolstile/core";
import { guardTools } from "@toolstile/mastra";
import { z } from "zod";
import { model } from "./model.mjs";

const refund = createTool({
  id: "refund",
  description: "Pay an order back.",
  inputSchema: z.object({ order: z.string(), cents: z.number(), to: z.string() }),
  execute: async ({ order, cents, to }) => `Refunded ${cents} cents of ${order} to ${to}.`,
});
const deleteOrder = createTool({
  id: "delete-order",
  description: "Delete an order.",
  inputSchema: z.object({ order: z.string() }),
  execute: async ({ order }) => `Deleted ${order}.`,
});

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
const tools = guardTools(
  { refund, deleteOrder },
  {
    guardrails: [ownCustomerOnly, limit],
    approver,
    requestApproval: true,
    // A server reads this from the signed-in session, never from what the client sends.
    describe: () => ({ context: { sessionId: "s1", principal: "ann@example.com" } }),
  },
);
const support = new Agent({ id: "support", name: "Support", instructions: "Help.", model, tools });
// A suspended run is kept in a storage, and can go on after a restart.
new Mastra({ agents: { support }, storage: new InMemoryStore(), logger: false });

const first = await support.generate("Refund my two orders, and delete one.");
const { toolCallId, suspendPayload } = await first.suspendPayload;
const { approvalId } = suspendPayload.pendingApproval;

// Mastra waits; whoever is asked answers Toolstile's approver, which is the authority.
const { records } = await approver.list();
const asked = records.find(({ id }) => id === approvalId);
console.log(`To approve: ${asked.question.approval.summary}, for ${asked.question.args.to}.`);
await approver.answer(approvalId, { decision: "approved", by: "bob@example.com" });

const second = await support.resumeGenerate({}, { runId: first.runId, toolCallId });
console.log(await second.text);
