// No refunds after hours: the clock of the host decides, whatever the arguments say of the time.
import { deepEqual } from "node:assert/strict";
import { Agent, Runner, tool } from "@openai/agents";
import { assistantMessage, functionCall, ScriptedModel } from "@openai/agents/testing";
import { guardTools } from "@toolstile/openai-agents";
import { rules } from "@toolstile/rules";

const refund = tool({
  name: "refund",
  description: "Pay an order back.",
  // Anything may stand beside the order.
  parameters: {
    type: "object",
    properties: { order: { type: "string" } },
    required: ["order"],
    additionalProperties: true,
  },
  strict: false,
  execute: ({ order }) => `Paid ${order} back.`,
});

let now = 0;
const officeHours = rules({
  now: () => now,
  rules: [
    {
      id: "office-hours",
      tools: ["refund"],
      require: {
        time: {
          zone: "Europe/Berlin",
          from: "08:00",
          to: "18:00",
          weekdays: ["monday", "tuesday", "wednesday", "thursday", "friday"],
        },
      },
      deny: "refunds are paid Monday to Friday, 8:00 to 18:00 in Berlin",
    },
  ],
});

const agent = new Agent({
  name: "desk",
  tools: guardTools([refund], { guardrails: [officeHours], unchecked: true }),
});

/** What the model reads when it asks for a refund at this time. */
async function readAt(time, args = { order: "A-1" }) {
  now = Date.parse(time);
  const call = functionCall("refund", args, { callId: "c1" });
  const model = new ScriptedModel([[call], [assistantMessage("Done.")]]);
  const { newItems } = await new Runner({ model, tracingDisabled: true }).run(agent, "Refund.");
  return newItems.find(({ type }) => type === "tool_call_output_item").output;
}

const paid = "Paid A-1 back.";
const closed = "Tool call denied: refunds are paid Monday to Friday, 8:00 to 18:00 in Berlin";
const moments = [
  ["a Thursday morning in winter", "2026-01-15T07:00:00Z", paid],
  ["a minute before", "2026-01-15T06:59:59Z", closed],
  ["the last minute", "2026-01-15T16:59:59Z", paid],
  ["closing time", "2026-01-15T17:00:00Z", closed],
  ["the same hour in summer: clocks are an hour ahead", "2026-07-16T06:00:00Z", paid],
  ["the Friday before they change", "2026-03-27T06:30:00Z", closed],
  ["the Monday after it", "2026-03-30T06:30:00Z", paid],
  ["a Saturday", "2026-01-17T11:00:00Z", closed],
  ["Sunday in Berlin, still Saturday in New York", "2026-01-17T23:30:00Z", closed],
];
for (const [what, time, expected] of moments) {
  const read = await readAt(time);
  console.log(`${time}  ${what}: ${read}`);
  deepEqual(read, expected, what);
}

console.log("\nAt night, the model says that it is not night.");
const night = "2026-01-15T23:00:00Z";
for (const args of [
  { order: "A-1", time: "2026-01-15T12:00:00Z" },
  { order: "A-1", now: 1_768_478_400_000, zone: "Pacific/Kiritimati" },
  { order: "A-1", override: true, approved_by: "the manager" },
  { order: "A-1", "office-hours": false },
]) {
  const read = await readAt(night, args);
  console.log(`  ${Object.keys(args).slice(1).join(", ")}: ${read}`);
  deepEqual(read, closed);
}

console.log("\nA clock that is broken opens nothing.");
deepEqual(await readAt("no time at all"), `${closed} (the clock tells no time)`);
console.log("  It is denied, and the reason says that it could not be told.");
