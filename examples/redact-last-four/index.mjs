// Card numbers in what tools answer: the model reads the last four digits, whatever the form.
import { deepEqual } from "node:assert/strict";
import { Agent, Runner, tool } from "@openai/agents";
import { assistantMessage, functionCall, ScriptedModel } from "@openai/agents/testing";
import { allow, allowAll, rewrite } from "@toolstile/core";
import { guardTools } from "@toolstile/openai-agents";
import { z } from "zod";

/** What the shop's database answers, by how the model asks for it. */
const forms = {
  plain: "Card 4242424242424242, expires 12/29.",
  spaced: "Card 4242 4242 4242 4242.",
  dashed: "Card 4242-4242-4242-4242.",
  dotted: "Card 4242.4242.4242.4242.",
  amex: "Card 3782 822463 10005.",
  two: "4242424242424242,5555555555554444",
  wide: "Card ４２４２４２４２４２４２４２４２.",
  arabic: "Card ٤٢٤٢٤٢٤٢٤٢٤٢٤٢٤٢.",
  hidden: "Card 4242\u200b4242\u200b4242\u200b4242.",
  padded: "Card 0004242424242424242000.",
  lines: "Card 4242\n4242\n4242\n4242.",
  json: JSON.stringify({ card: 4242424242424242, cards: ["5555 5555 5555 4444"] }),
};
const customer = tool({
  name: "customer",
  description: "Look a customer up.",
  parameters: z.object({ id: z.string(), form: z.string() }),
  execute: ({ form }) => forms[form] ?? "Order 1234 of 2026-01-15, 12 items, +49 30 1234567.",
});

/** Thirteen digits or more of any script, with at most one separator between two. */
const cardNumber = /\p{Nd}(?:[\s\p{Pd}.]?\p{Nd}){12,}/gu;

/** Keeps the last four digits of everything that could be a card number. */
function redacted(text) {
  // Look-alikes become digits, and what nobody sees is taken out, before anything is looked for.
  const plain = text.normalize("NFKC").replace(/\p{Cf}/gu, "");
  const clean = plain.replace(cardNumber, (number) => {
    const digits = [...number.replace(/[\s\p{Pd}.]/gu, "")];
    return `**** ${digits.slice(-4).join("")}`;
  });
  // A text without a number stays as it was, to the letter.
  return clean === plain ? text : clean;
}

/** The same in all members of a value; a number that is long enough is a card number, too. */
function clean(value) {
  if (typeof value === "string") return redacted(value);
  if (typeof value === "number")
    return redacted(String(value)) === String(value) ? value : redacted(String(value));
  if (Array.isArray(value)) return value.map(clean);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [redacted(key), clean(each)]),
  );
}

const lastFour = {
  name: "last-four",
  evaluateResult(_, { content, structured }) {
    const body = {
      content: clean(content),
      ...(structured !== undefined && { structured: clean(structured) }),
    };
    const isSame = JSON.stringify(body) === JSON.stringify({ content, structured });
    return isSame ? allow() : rewrite(body, { reason: "card numbers are cut to four digits" });
  },
};

// Who is looked up is for other guards to judge.
const guardrails = [allowAll(), lastFour];
const agent = new Agent({
  name: "shop",
  tools: guardTools([customer], { guardrails, unchecked: true }),
});

/** What the model reads when it asks for this form. */
async function readOf(form) {
  const call = functionCall("customer", { id: "ann", form }, { callId: "c1" });
  const model = new ScriptedModel([[call], [assistantMessage("Done.")]]);
  const { newItems } = await new Runner({ model, tracingDisabled: true }).run(agent, "Who is Ann?");
  return newItems.find(({ type }) => type === "tool_call_output_item").output;
}

const expected = {
  plain: "Card **** 4242, expires 12/29.",
  spaced: "Card **** 4242.",
  dashed: "Card **** 4242.",
  dotted: "Card **** 4242.",
  amex: "Card **** 0005.",
  two: "**** 4242,**** 4444",
  wide: "Card **** 4242.",
  arabic: "Card **** ٤٢٤٢.",
  hidden: "Card **** 4242.",
  // Not the last four digits of the card: nobody can tell where it begins and ends.
  padded: "Card **** 2000.",
  lines: "Card **** 4242.",
  json: '{"card":**** 4242,"cards":["**** 4444"]}',
  none: "Order 1234 of 2026-01-15, 12 items, +49 30 1234567.",
};
for (const [form, text] of Object.entries(expected)) {
  const read = await readOf(form);
  console.log(`${form}: ${read}`);
  deepEqual(read, text, form);
}
