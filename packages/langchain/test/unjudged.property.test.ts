import { Command } from "@langchain/langgraph";
import { allow, deny, type GuardrailProvider } from "@toolstile/core";
import fc from "fast-check";
import { AIMessage, HumanMessage, ToolMessage } from "langchain";
import { describe, expect, inject, it } from "vitest";
import { asks, ways } from "./support/agents.js";
import { toolOf } from "./support/tools.js";

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

const answer = (content: unknown) =>
  new ToolMessage({ tool_call_id: "c1", content: content as never });
/** The answers of a tool that a graph takes, with the words in any of them. */
const answers = fc.oneof(
  fc.oneof(parts, strange).map((found) => found as unknown),
  parts.map(answer),
  parts.map((content) => new Command({ update: { messages: [answer(content)] } })),
  parts.map((content) => {
    const said = new HumanMessage({ content: content as never });
    return new Command({ update: { messages: [answer("hello"), said] } });
  }),
  parts.map((content) => {
    const said = new AIMessage({ content: content as never });
    return new Command({ update: { messages: [said, answer("hello")] } });
  }),
);

describe.each(ways)("a part or member that nobody knows, in a tool's result, in %s", (_, scene) => {
  it("is judged before a model reads it", { tags: "longer" }, async () => {
    await fc.assert(
      fc.asyncProperty(answers, async (found) => {
        const { play, model } = scene({
          tools: [toolOf("act", async () => found)],
          turns: [[asks("c1", "act")]],
          guardrails: [judge],
        });
        // An answer that no graph takes ends the run.
        await play().catch(() => undefined);
        const contents = model.calls.flatMap(({ messages }) =>
          messages.map((each) => each.content),
        );
        expect(JSON.stringify(contents)).not.toContain(secret);
      }),
      { numRuns: inject("long") ? 100 : 12 },
    );
  });
});
