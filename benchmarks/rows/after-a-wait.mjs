import { asking, guardedRunner, queue } from "../five-guards.mjs";
import { mail } from "../mail.mjs";
import { startModel } from "../model.mjs";

const answer = async () => "sent";
const limitMs = 5_000;

let model;
const body = JSON.stringify({ max_tokens: 8, messages: [{ role: "user", content: "Send it." }] });

/** Ask the model, as an agent does before each call: there and back, and the answer is read. */
async function roundTrip() {
  const signal = AbortSignal.timeout(limitMs);
  const response = await fetch(`${model.url}/chat/completions`, { method: "POST", body, signal });
  if ((await response.json()).choices.length !== 1) throw new Error("The model did not answer.");
}

/** The guarded call is warm as in a server that has been at work: it is the wait that cools it. */
async function guarded() {
  const run = asking(guardedRunner({ execute: answer, observers: [queue()] }), "send_mail", mail);
  const { status } = await run();
  if (status !== "executed") throw new Error(`The guarded call ended as ${status}.`);
  for (let turn = 0; turn < 20_000; turn++) await run();
  return run;
}

export const rows = [
  {
    name: "what one guarded call adds to its tool after a round trip on 127.0.0.1, 500 B, against C after one",
    goal: undefined,
    turns: 100,
    before: roundTrip,
    bare: answer,
    reference: {
      unit: "C",
      async run() {
        structuredClone(mail);
        return answer();
      },
    },
    async setup() {
      model = await startModel();
      return guarded();
    },
    close: () => model.close(),
  },
];
