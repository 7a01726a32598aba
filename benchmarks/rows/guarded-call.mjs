import { allowlist } from "@toolstile/allowlist";
import { auditLog, memory } from "@toolstile/audit-log";
import { allow, ToolRunner } from "@toolstile/core";
import { rateLimit } from "@toolstile/rate-limit";
import { resultLinkage } from "@toolstile/result-linkage";
import { schemaValidation } from "@toolstile/schema";
import { largeMail, mail, mailSchema } from "../mail.mjs";

const names = Array.from({ length: 10 }, (_, index) => `tool_${index}`);

/** Five synchronous guards as people would configure them, and every call put on record. */
function guardedRunner(observers) {
  return new ToolRunner({
    tools: [
      { name: "send_mail", parameters: mailSchema, execute: async () => "sent" },
      ...names.map((name) => ({ name, execute: () => "done" })),
    ],
    guardrails: [
      allowlist(["send_mail", ...names]),
      schemaValidation(),
      rateLimit({ limit: 1_000_000_000, windowMs: 60_000, algorithm: "gcra" }),
      resultLinkage(),
      {
        name: "own-rule",
        evaluate: (call) => (call.args.priority === "never" ? undefined : allow()),
      },
    ],
    observers,
  });
}

/** Takes each record as an audit log does, and lets the rest be another's work. */
function queue() {
  let queued = [];
  return {
    name: "queue",
    settle(record) {
      queued.push(record);
      if (queued.length === 1_024) queued = [];
    },
  };
}

function asked(observers, args) {
  const runner = guardedRunner(observers);
  let id = 0;
  return () => runner.run({ name: "send_mail", arguments: args, callId: `call_${++id}` });
}

const row = (name, goal, reference, args, observers) => ({
  name,
  goal,
  reference,
  async setup() {
    const run = asked(observers(), args);
    const outcome = await run();
    if (outcome.status !== "executed")
      throw new Error(`The guarded call ended as ${outcome.status}.`);
    return run;
  },
});

const clone = (args) => ({ unit: "C", run: () => structuredClone(args) });
const parse = (text) => ({ unit: "P", run: () => JSON.parse(text) });

export const guardedCallRows = [
  row(
    "one guarded call, 500 B, from an object, audit record queued",
    0.75,
    clone(mail),
    mail,
    () => [queue()],
  ),
  row(
    "one guarded call, 17 kB, from an object, audit record queued",
    0.5,
    clone(largeMail),
    largeMail,
    () => [queue()],
  ),
  row(
    "one guarded call, 500 B, from text, audit record queued",
    3,
    parse(JSON.stringify(mail)),
    JSON.stringify(mail),
    () => [queue()],
  ),
  row(
    "one guarded call, 500 B, from an object, audit record hashed in memory",
    undefined,
    clone(mail),
    mail,
    () => [auditLog({ sink: memory() })],
  ),
];
