import { allow, deny, type GuardrailProvider } from "@toolstile/core";
import fc from "fast-check";
import { describe, expect, inject, it } from "vitest";
import { guardQuery } from "../src/index.js";
import { play } from "./cli.js";

const secret = "said by nobody";
/** A value with the words somewhere in it. */
const holding = fc.constantFrom<unknown>(
  secret,
  [1, secret],
  { deep: [{ deeper: secret }] },
  { [secret]: 1 },
);
const memberName = fc.oneof(
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
const strange = fc.oneof(
  fc.tuple(type, memberName, holding).map(([of, key, value]) => ({ type: of, [key]: value })),
  fc
    .tuple(memberName, holding)
    .map(([key, value]) => ({ type: "text", text: "hello", [key]: value })),
  fc.tuple(memberName, holding).map(([key, value]) => ({ [key]: value })),
  fc.constantFrom<unknown>({ type: secret, text: "hello" }, secret, [secret]),
);
const plain = { type: "text", text: "hello" };
/** A list of parts with a strange one at any place. */
const parts = fc
  .tuple(fc.nat(2), strange)
  .map(([at, part]) => [plain, plain].toSpliced(at, 0, part as never) as unknown[]);
/** Stops the words wherever it is shown them. */
const judge: GuardrailProvider = {
  name: "judge",
  evaluate: () => allow(),
  evaluateResult: (_, result) =>
    JSON.stringify(result).includes(secret) ? deny("nobody said so") : allow(),
};

describe("a part or member that nobody knows, in a tool's result", () => {
  it.each(["mcp__mail__send", "Make"])(
    "is judged before a model reads it, of %s",
    { tags: "longer" },
    async (name) => {
      await fc.assert(
        fc.asyncProperty(fc.oneof(parts, strange), async (found) => {
          const options = guardQuery({}, { guardrails: [judge] });
          const { read } = await play({ options, tools: { [name]: () => found } }, [
            name,
            {},
            "c1",
          ]);
          expect(JSON.stringify(read)).not.toContain(secret);
        }),
        { numRuns: inject("long") ? 300 : 30 },
      );
    },
  );
});
