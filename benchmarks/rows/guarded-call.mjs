import { auditLog, memory } from "@toolstile/audit-log";
import { allow, ToolRunner } from "@toolstile/core";
import { callByHand } from "../by-hand.mjs";
import { asking, fiveGuards, guardedRunner, queue } from "../five-guards.mjs";
import { largeMail, mail, mailSchema } from "../mail.mjs";

const row = (name, goal, reference, run) => ({
  name: `one guarded call, ${name}`,
  goal,
  reference,
  async setup() {
    const asked = run();
    const outcome = await asked();
    if (outcome.status !== "executed")
      throw new Error(`The guarded call ended as ${outcome.status}.`);
    return asked;
  },
});

/** Five guards, and every call put on record. */
const five = (args, observer) => () =>
  asking(
    guardedRunner({ execute: async () => "sent", observers: [observer()] }),
    "send_mail",
    args,
  );

/** Nothing to copy, nothing to check, nobody told: what is left is what every call pays. */
function least() {
  const guard = { name: "one", evaluate: () => allow() };
  const tool = { name: "ping", execute: () => "pong" };
  return asking(new ToolRunner({ tools: [tool], guardrails: [guard] }), "ping", {});
}

/** The floor of the rows that miss their goals: the same calls by one function that can do nothing else. */
const fiveByHand = (args) => () => {
  const tool = { name: "send_mail", parameters: mailSchema, execute: async () => "sent" };
  const run = callByHand({ tool, guards: fiveGuards(), observers: [queue()] });
  return asking({ run }, "send_mail", args);
};
function leastByHand() {
  const guard = { name: "one", evaluate: () => allow() };
  const tool = { name: "ping", execute: () => "pong" };
  return asking({ run: callByHand({ tool, guards: [guard] }) }, "ping", {});
}

const clone = (args) => ({ unit: "C", run: () => structuredClone(args) });
const parse = (text) => ({ unit: "P", run: () => JSON.parse(text) });
const text = JSON.stringify(mail);

export const rows = [
  row("500 B, from an object, audit record queued", 0.75, clone(mail), five(mail, queue)),
  row("17 kB, from an object, audit record queued", 0.5, clone(largeMail), five(largeMail, queue)),
  row("500 B, from text, audit record queued", 3, parse(text), five(text, queue)),
  row(
    "500 B, from an object, audit record hashed in memory",
    undefined,
    clone(mail),
    five(mail, () => auditLog({ sink: memory() })),
  ),
  row("empty arguments, one guard, no record, against C of 500 B", 0.25, clone(mail), least),
  row("500 B, from an object, by hand: the floor", undefined, clone(mail), fiveByHand(mail)),
  row("500 B, from text, by hand: the floor", undefined, parse(text), fiveByHand(text)),
  row("empty arguments, by hand: the floor", undefined, clone(mail), leastByHand),
];
