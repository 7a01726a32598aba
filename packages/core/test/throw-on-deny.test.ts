import { describe, expect, it } from "vitest";
import {
  allowAll,
  deny,
  ToolRunner,
  ToolstileError,
  throwOnDeny,
  toolResult,
} from "../src/index.js";
import { guard, outcomeOf, sendRequest } from "./support/runners.js";

describe("throwOnDeny", () => {
  it("gives the value of a call that ran, and throws the tool's own error", async () => {
    expect(throwOnDeny(await outcomeOf(() => ({ a: 1 })))).toEqual({ a: 1 });
    const error = new Error("disk full");
    const failed = await outcomeOf(() => {
      throw error;
    });
    expect(() => throwOnDeny(failed)).toThrow(error);
  });

  it("tells the parts of an error that is made of several", async () => {
    const parts = [new Error("first"), new TypeError("second"), "third", 7];
    const many = Array.from({ length: 18 }, (_, n) => new Error(`e${n}`));
    const texts = [];
    for (const error of [
      new AggregateError(parts, "outer"),
      new AggregateError([new AggregateError(parts, "inner")]),
      new AggregateError([], "alone"),
      new AggregateError(many),
    ]) {
      texts.push((await outcomeOf(() => Promise.reject(error))).result.content);
    }
    expect(texts.slice(0, 3)).toEqual([
      "outer: first; second; third",
      "inner: first; second; third",
      "alone",
    ]);
    expect(texts[3]).toMatch(/^e0; .*; e15; and 2 more$/);
  });

  it("throws an error of the text that a tool reports, and no denial of a tool that ran", async () => {
    const reported = await outcomeOf(() => toolResult({ content: "no such file", isError: true }));
    let thrown: unknown;
    try {
      throwOnDeny(reported);
    } catch (error) {
      thrown = error;
    }
    expect(thrown).toMatchObject({ message: "no such file" });
    expect(ToolstileError.isInstance(thrown)).toBe(false);
  });

  it("throws ERR_DENIED with the outcome for any other", async () => {
    const outcomes = [
      await new ToolRunner({ guardrails: [guard("g", { evaluate: () => deny("no") })] }).run(
        sendRequest,
      ),
      await outcomeOf(
        () => "x",
        [
          {
            name: "b",
            evaluateResult: () => deny("no", { replacement: [{ type: "text", text: "gone" }] }),
          },
        ],
      ),
      await new ToolRunner({ guardrails: [allowAll()] }).run(sendRequest),
    ];
    for (const outcome of outcomes) {
      let thrown: unknown;
      try {
        throwOnDeny(outcome);
      } catch (error) {
        thrown = error;
      }
      expect(ToolstileError.isInstance(thrown)).toBe(true);
      expect(thrown).toMatchObject({ code: "ERR_DENIED", outcomes: [outcome] });
    }
    expect(() => throwOnDeny(outcomes[0] as never)).toThrow("Tool call denied: no");
    expect(() => throwOnDeny(outcomes[1] as never)).toThrow("The call ended as 'withheld'.");
  });
});
