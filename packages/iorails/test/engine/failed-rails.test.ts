import { completionBody } from "@toolstile/testing";
import { describe, expect, it } from "vitest";
import { call, engine, question, toolRails, weather } from "./engine.js";

const internalError = "I'm sorry, an internal error has occurred.";
const selfCheck = `
rails: { input: { flows: [self check input] } }
prompts: [{ task: self_check_input, content: "{{ user_input }}?" }]`;
const failing = {
  name: "failing",
  evaluate: () => {
    throw new Error("secret");
  },
  evaluateResult: () => {
    throw new Error("secret");
  },
};

describe("a rail that could not decide", () => {
  it("answers that an error has occurred, and one that has decided refuses", async () => {
    const answers = ["perhaps", "Yes"];
    const { rails } = await engine(selfCheck, () => {
      return { body: completionBody({ content: answers.shift() ?? "" }) };
    });
    const failed = await rails.generate({ messages: [question] });
    expect([failed.status, failed.message.content]).toEqual(["blocked", internalError]);
    expect(failed.violations).toMatchObject([{ violationType: "rail_failed" }]);
    const refused = await rails.check({ messages: [question] });
    expect([refused.status, refused.content]).toEqual([
      "blocked",
      "I'm sorry, I can't respond to that.",
    ]);
  });

  it("is told of by its name where it is a mounted guard of calls, or of results", async () => {
    const { rails } = await engine(toolRails, [], {
      providers: { toolCall: [failing], toolResult: [failing] },
    });
    const calls = [question, { role: "assistant", content: null, tool_calls: [call] }];
    const result = { role: "tool", tool_call_id: "c1", name: "weather", content: "x" };
    const ofCall = await rails.check({ messages: calls, tools: [weather] });
    const ofResult = await rails.check({
      messages: [...calls, result],
      railTypes: ["tool_result"],
    });
    for (const { content, violations } of [ofCall, ofResult]) {
      expect(content).toBe(internalError);
      expect(violations).toMatchObject([{ violationType: "rail_failed", rail: "failing" }]);
      expect(JSON.stringify(violations)).not.toContain("secret");
    }
  });
});
