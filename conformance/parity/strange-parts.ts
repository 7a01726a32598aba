import { allow, deny, type GuardrailProvider } from "@toolstile/core";
import fc from "fast-check";

/** Words that nobody has judged. */
export const secret = "said by nobody";
/** A value with the words somewhere in it. */
export const holding = fc.constantFrom<unknown>(
  secret,
  [1, secret],
  { deep: [{ deeper: secret }] },
  { [secret]: 1 },
);
export const memberName = fc.oneof(
  fc.constantFrom("text", "data", "content", "parts", "output", "value", "reasoning", "id"),
  fc.string({ minLength: 1, maxLength: 9 }).filter((key) => key !== "__proto__"),
);
const type = fc.oneof(
  fc.constantFrom(
    "text",
    "image",
    "file",
    "audio",
    "resource",
    "tool_use",
    "tool-result",
    "data-x",
  ),
  fc.string({ maxLength: 9 }),
);
/** A part of any type, or of none, with the words in any member. */
export const strange = fc.oneof(
  fc.tuple(type, memberName, holding).map(([of, key, value]) => ({ type: of, [key]: value })),
  fc
    .tuple(memberName, holding)
    .map(([key, value]) => ({ type: "text", text: "hello", [key]: value })),
  fc.tuple(memberName, holding).map(([key, value]) => ({ [key]: value })),
  fc.constantFrom<unknown>({ type: secret, text: "hello" }, secret, [secret]),
);
export const plain = { type: "text", text: "hello" };
/** A list of parts with a strange one at any place. */
export const parts = fc
  .tuple(fc.nat(2), strange)
  .map(([at, part]) => [plain, plain].toSpliced(at, 0, part as never) as unknown[]);
/** Stops the words wherever it is shown them. */
export const judge: GuardrailProvider = {
  name: "judge",
  evaluate: () => allow(),
  evaluateResult: (_, result) =>
    JSON.stringify(result).includes(secret) ? deny("nobody said so") : allow(),
};
