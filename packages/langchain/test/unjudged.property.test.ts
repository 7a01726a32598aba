import { Command } from "@langchain/langgraph";
import fc from "fast-check";
import { AIMessage, HumanMessage, ToolMessage } from "langchain";
import { describe, expect, inject, it } from "vitest";
import { judge, parts, secret, strange } from "../../../conformance/parity/strange-parts.js";
import { asks, ways } from "./support/agents.js";
import { toolOf } from "./support/tools.js";

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
