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

  it.each<[string, object]>([
    ["settings", { settings: { disableAllHooks: true } }],
    ["settings as text", { settings: '{"disableAllHooks": true}' }],
    ["settings as an argument", { extraArgs: { settings: '{"disableAllHooks": "yes"}' } }],
    ["managed settings", { managedSettings: { disableAllHooks: "true" } }],
    ["managed hooks alone", { managedSettings: { allowManagedHooksOnly: true } }],
    ["the safe mode", { extraArgs: { "safe-mode": null } }],
    ["a permission tool", { permissionPromptToolName: "mcp__desk__ask" }],
  ])("P5 refuses %s by which it would guard nothing", (_, query) => {
    const unsupported = expect.objectContaining({ code: "ERR_UNSUPPORTED" });
    expect(made(query, { guardrails })).toThrow(unsupported);
  });

  it("takes settings that leave hooks alone, and the path of a file", () => {
    for (const settings of [{ disableAllHooks: false }, "./settings.json", "null", '"text"']) {
      expect(made({ settings, extraArgs: { bare: null } }, { guardrails })).not.toThrow();
    }
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
