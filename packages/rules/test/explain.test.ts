import { describe, expect, it } from "vitest";
import { explainCall } from "../src/analysis.js";
import type { RulesOptions } from "../src/index.js";

describe("explainCall", () => {
  const options: RulesOptions = {
    rules: [
      { id: "clamp", tools: ["pay"], change: { at: "/cents", clamp: { max: 100 } } },
      { id: "cheap", tools: ["pay"], when: { at: "/cents", below: 1 }, deny: "too little" },
      { id: "large", tools: ["pay"], when: { at: "/cents", above: 50 }, ask: "large" },
      { id: "keys", when: { result: "/text", contains: "KEY" }, withhold: "a key" },
      { id: "long", cut: 300 },
      { id: "else", tools: ["other"], deny: "no" },
    ],
  };
  const explain = (toolName: string, args: object, text?: string) => {
    const result = text === undefined ? undefined : { content: text };
    const {
      decision,
      decidedBy,
      rules,
      args: after,
    } = explainCall(options, { toolName, args: args as never, result });
    return { decision, decidedBy, after, said: rules.map(({ id, applies }) => `${id} ${applies}`) };
  };

  it("says which rule decides, and what each of them says", () => {
    expect(explain("pay", { cents: 40 })).toEqual({
      decision: "allow",
      decidedBy: [],
      after: { cents: 40 },
      said: ["clamp yes", "cheap no", "large no", "keys no", "long no"],
    });
    expect(explain("pay", { cents: 0 })).toMatchObject({ decision: "deny", decidedBy: ["cheap"] });
    expect(explain("pay", { cents: 500 })).toMatchObject({
      decision: "ask",
      decidedBy: ["large"],
      after: { cents: 100 },
    });
    expect(explain("pay", {})).toMatchObject({
      decision: "deny",
      decidedBy: ["cheap"],
      said: ["clamp yes", "cheap maybe", "large maybe", "keys no", "long no"],
    });
    expect(explain("pay", { cents: "x" })).toMatchObject({
      decision: "deny",
      decidedBy: ["clamp"],
    });
    expect(explain("other", {})).toMatchObject({ decision: "deny", decidedBy: ["else"] });
    expect(explain("third", {}, "a KEY")).toMatchObject({
      decision: "withhold",
      decidedBy: ["keys"],
    });
    expect(explain("third", {}, "x".repeat(400))).toMatchObject({
      decision: "cut",
      decidedBy: ["long"],
    });
  });

  it("counts no call", () => {
    const stuck: RulesOptions = { rules: [{ id: "r", repeats: 1, deny: "no" }] };
    for (let time = 0; time < 3; time++) {
      expect(explainCall(stuck, { toolName: "x" }).decision).toBe("allow");
    }
  });
});
