import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { approvals, fileStore } from "@toolstile/approval";
import { readRecords, verifyFolder } from "@toolstile/audit-log";
import { loadGuardFile } from "@toolstile/config";
import { ToolRunner, tool } from "@toolstile/core";
import { z } from "zod";
import { callFor } from "./model.mjs";
import { orders } from "./orders.mjs";

const order = z.string();

/** The refund desk: an agent for customers, a list of questions for the clerk, and a log for everybody. */
export async function openDesk(folder) {
  const paths = { approvals: join(folder, "approvals"), audit: join(folder, "audit") };
  const paid = [];
  const tools = [
    tool({
      name: "look_up_order",
      parameters: z.strictObject({ order }),
      execute: ({ order }) =>
        `${order}: ${orders.get(order).item}, ${euros(orders.get(order).cents)}.`,
    }),
    tool({
      name: "refund",
      parameters: z.strictObject({ order, cents: z.int() }),
      execute: ({ order, cents }) => {
        paid.push({ order, cents });
        return `Paid ${euros(cents)} of ${order} back.`;
      },
    }),
    tool({
      name: "delete_order",
      parameters: z.strictObject({ order }),
      execute: () => "Deleted.",
    }),
  ];
  const file = await loadGuardFile(fileURLToPath(new URL("guard.yaml", import.meta.url)), {
    env: { DESK_APPROVALS: paths.approvals, DESK_AUDIT: paths.audit },
  });
  const runner = new ToolRunner({ tools, ...file.runnerOptions() });
  /** The clerk answers at the same store; which names may answer is said once more here. */
  const clerk = approvals({ store: fileStore(paths.approvals), approvers: ["clara"] });
  /** What was said, by customer. */
  const talks = new Map();
  const said = (customer, who, text) =>
    talks.set(customer, [...(talks.get(customer) ?? []), { who, text }]);

  return {
    paid,
    talkOf: (customer) => talks.get(customer) ?? [],

    /** A customer says something, and the agent does what its model makes of it. */
    async say(customer, text) {
      said(customer, "you", text);
      const call = callFor(text);
      if (call === undefined) return said(customer, "agent", "Which order is it about?");
      // Who the customer is comes from the signed-in session, never from the text.
      const context = { sessionId: customer, principal: customer };
      said(customer, "agent", wordsFor(await runner.run(call, { context })));
    },

    /** The questions that wait for the clerk. */
    async waiting() {
      const { records } = await clerk.list();
      return records
        .filter(({ answer }) => answer === undefined)
        .map(({ id, question: { context, args, reason } }) => ({
          ...{ id, customer: context.principal, order: args.order, reason },
          sum: euros(args.cents),
        }));
    },

    /** The clerk answers; after a yes, the call goes on, and all guards are asked again. */
    async answer(id, { by, decision, reason }) {
      const { record } = await clerk.read(id);
      const given = reason === undefined ? { decision, by } : { decision, by, reason };
      const { answered } = await clerk.answer(id, given, { only: true });
      if (answered.length === 0) return false;
      const customer = record.question.context.principal;
      const words =
        decision === "approved"
          ? wordsFor(await runner.resume(id))
          : `A colleague has said no${reason ? `: ${reason}` : "."}`;
      said(customer, "agent", words);
      return true;
    },

    /** What the audit log has of each call, the latest first. */
    async calls() {
      const found = [];
      for await (const { record } of readRecords(paths.audit, { filter: { kind: ["outcome"] } })) {
        const { time, principal, requestedName, status, decidedBy, decisions, code } = record;
        const by = decisions.findLast(
          ({ basis, reason }) => basis === "approval" && reason,
        )?.reason;
        const why = by ?? [decidedBy, code].filter(Boolean).join(": ");
        found.push({ time, customer: principal, tool: requestedName, status, why });
      }
      return found.reverse();
    },
    async isLogWhole() {
      return (await verifyFolder(paths.audit)).ok;
    },

    async close() {
      await runner.close();
      await file.close();
      await clerk.close();
    },
  };
}

function wordsFor({ status, approvalId, result, reason }) {
  if (status === "executed") return result.content;
  if (approvalId !== undefined) return "I have asked a colleague. You will read the answer here.";
  return `I may not do that${reason ? `: ${reason}` : ""}.`;
}

function euros(cents) {
  return `${(cents / 100).toFixed(2)} EUR`;
}
