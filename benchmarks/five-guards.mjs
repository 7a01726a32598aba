import { allowlist } from "@toolstile/allowlist";
import { allow, deny, ToolRunner } from "@toolstile/core";
import { rateLimit } from "@toolstile/rate-limit";
import { resultLinkage } from "@toolstile/result-linkage";
import { schemaValidation } from "@toolstile/schema";
import { mailSchema } from "./mail.mjs";

const names = Array.from({ length: 10 }, (_, index) => `tool_${index}`);

/** Five synchronous guards as people would configure them. */
export const fiveGuards = ({ allowed = ["send_mail"], limit = 1_000_000_000 } = {}) => [
  allowlist(allowed),
  schemaValidation(),
  rateLimit({ limit, windowMs: 60_000, algorithm: "gcra" }),
  resultLinkage(),
  {
    name: "own-rule",
    evaluate: ({ args }) => (args.priority === "never" ? deny("never is no priority") : allow()),
  },
];

/** A runner with the five guards, among the tools that the allowlist names. */
export function guardedRunner({ execute, observers = [] }) {
  return new ToolRunner({
    tools: [
      { name: "send_mail", parameters: mailSchema, execute },
      ...names.map((name) => ({ name, execute: () => "done" })),
    ],
    guardrails: fiveGuards({ allowed: ["send_mail", ...names] }),
    observers,
  });
}

/** Takes each record as an audit log does, and lets the rest be another's work. */
export function queue() {
  let queued = [];
  return {
    name: "queue",
    settle(record) {
      queued.push(record);
      if (queued.length === 1_024) queued = [];
    },
  };
}

/** Run one call after the other, each under an id of its own. */
export function asking(runner, name, args) {
  let id = 0;
  return () => runner.run({ name, arguments: args, callId: `call_${++id}` });
}
