import { allow, deny, type Guardrail, ToolRunner, tool, toolResult } from "@toolstile/core";
import { schemaValidation } from "@toolstile/schema";

/** A runner with three tools, and what ran. */
export function shop(more: readonly Guardrail[] = []) {
  const ran: [string, unknown][] = [];
  const search = tool({
    name: "search",
    description: "Finds things.",
    parameters: { type: "object", properties: { q: { type: "string" } }, required: ["q"] },
    execute: (args) => {
      ran.push(["search", args]);
      return `Found ${args.q}.`;
    },
  });
  const refund = tool({
    name: "refund",
    execute: (args) => {
      ran.push(["refund", args]);
      return "Refunded.";
    },
  });
  const note = tool({
    name: "note",
    execute: ({ input }) => {
      ran.push(["note", input]);
      return toolResult({ content: [{ type: "text", text: "Noted." }] });
    },
  });
  const noRefunds: Guardrail = {
    name: "no-refunds",
    evaluate: ({ toolName }) => (toolName === "refund" ? deny("refunds are closed") : allow()),
  };
  const runner = new ToolRunner({
    tools: [search, refund, note],
    guardrails: [schemaValidation(), noRefunds, ...more],
  });
  return { runner, ran };
}
