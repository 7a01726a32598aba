import { allowAll } from "@toolstile/core";
import { describe, expect, it } from "vitest";
import { guardQuery } from "../src/index.js";

const guardrails = [allowAll()];
const made = (query: unknown, options: object) => () =>
  guardQuery(query as object, options as never);
const wrong = expect.objectContaining({ code: "ERR_INVALID_OPTION" });

describe("guardQuery", () => {
  it("P5 refuses options that nobody reads, and values that they cannot have", () => {
    expect(made({}, { guardrail: [] })).toThrow("Did you mean 'guardrails'?");
    expect(made({}, { guardrails, deadlineMs: 0 })).toThrow(wrong);
    expect(made({}, { guardrails, deadlineMs: "5" })).toThrow("The option 'deadlineMs'");
    expect(made({}, { guardrails, openForMs: Number.POSITIVE_INFINITY })).toThrow(wrong);
  });

  it("P5 refuses options of query() that it cannot read", () => {
    expect(made(undefined, { guardrails })).toThrow(wrong);
    expect(made({ hooks: 5 }, { guardrails })).toThrow(wrong);
    expect(made({ hooks: { Stop: [{ hook: () => {} }] } }, { guardrails })).toThrow(
      "The hooks for Stop",
    );
    expect(made({ canUseTool: true }, { guardrails })).toThrow("canUseTool is a function.");
  });

  it("P5 refuses a guard that names a tool which is not among those told of", () => {
    const guard = { ...allowAll(), tools: ["Bsah"] };
    expect(made({}, { guardrails: [guard], tools: [{ name: "Bash" }] })).toThrow(
      "Did you mean 'Bash'?",
    );
  });

  it("leaves the options that it was given as they were", () => {
    const hooks = { PreToolUse: [{ hooks: [async () => ({})] }] };
    const given = Object.freeze({ hooks: Object.freeze(hooks), model: "x" });
    const guarded = guardQuery(given, { guardrails });
    expect(guarded.hooks.PreToolUse).toHaveLength(2);
    expect(given.hooks.PreToolUse).toHaveLength(1);
  });
});
