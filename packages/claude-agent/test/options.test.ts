import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { allowAll } from "@toolstile/core";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { guardQuery } from "../src/index.js";

const guardrails = [allowAll()];
const made = (query: unknown, options: object) => () =>
  guardQuery(query as object, options as never);
const command = [{ matcher: "*", hooks: [{ type: "command", command: "./rewrites" }] }];
const wrong = expect.objectContaining({ code: "ERR_INVALID_OPTION" });

describe("guardQuery", () => {
  it("P5 refuses options that nobody reads, and values that they cannot have", () => {
    expect(made({}, { guardrail: [] })).toThrow("Did you mean 'guardrails'?");
    expect(made({}, { guardrails, deadlineMs: 0 })).toThrow(wrong);
    expect(made({}, { guardrails, deadlineMs: "5" })).toThrow(
      "'deadlineMs' must be a number of milliseconds",
    );
    expect(made({}, { guardrails, openForMs: Number.POSITIVE_INFINITY })).toThrow(wrong);
  });

  it("P5 refuses options of query() that it cannot read", () => {
    expect(made(undefined, { guardrails })).toThrow(wrong);
    expect(made({ hooks: 5 }, { guardrails })).toThrow(wrong);
    expect(made({ hooks: { Stop: [{ hook: () => {} }] } }, { guardrails })).toThrow(
      "The hooks for Stop",
    );
    expect(made({ canUseTool: true }, { guardrails })).toThrow(
      "canUseTool must be a function, received boolean.",
    );
  });

  it.each<[string, object]>([
    ["settings", { settings: { disableAllHooks: true } }],
    ["settings as text", { settings: '{"disableAllHooks": true}' }],
    ["settings as an argument", { extraArgs: { settings: '{"disableAllHooks": "yes"}' } }],
    ["managed settings", { managedSettings: { disableAllHooks: "true" } }],
    ["managed hooks alone", { managedSettings: { allowManagedHooksOnly: true } }],
    ["the safe mode", { extraArgs: { "safe-mode": null } }],
    ["the safe mode with its dashes", { extraArgs: { "--safe-mode": null } }],
    ["the safe mode as another argument's value", { extraArgs: { debug: "--safe-mode" } }],
    ["the safe mode before the program's arguments", { executableArgs: ["--safe-mode"] }],
    [
      "settings before the program's arguments",
      { executableArgs: ["--settings", '{"disableAllHooks":true}'] },
    ],
    ["the safe mode by a variable", { env: { CLAUDE_CODE_SAFE_MODE: "1" } }],
    ["the safe mode by a variable in other letters", { env: { Claude_Code_Safe_Mode: "true" } }],
    ["the safe mode by settings", { settings: { env: { CLAUDE_CODE_SAFE_MODE: 1 } } }],
    [
      "settings in one word with the argument",
      { extraArgs: { 'settings={"disableAllHooks":1}': null } },
    ],
    ["a permission tool", { permissionPromptToolName: "mcp__desk__ask" }],
    [
      "a permission tool as an argument",
      { extraArgs: { "permission-prompt-tool": "mcp__desk__ask" } },
    ],
    [
      "a permission tool in one word",
      { extraArgs: { "permission-prompt-tool=mcp__desk__ask": null } },
    ],
    ["hooks in settings", { settings: { hooks: { PreToolUse: command } } }],
    [
      "hooks in settings as text",
      { settings: JSON.stringify({ hooks: { PostToolUse: command } }) },
    ],
    [
      "hooks in settings as an argument",
      { extraArgs: { settings: JSON.stringify({ hooks: { PermissionRequest: command } }) } },
    ],
    ["hooks in managed settings", { managedSettings: { hooks: { PreToolUse: command } } }],
    ["hooks of an event that is not known", { settings: { hooks: { BeforeToolRuns: command } } }],
  ])("P5 refuses %s by which it would guard nothing", (_, query) => {
    const unsupported = expect.objectContaining({ code: "ERR_UNSUPPORTED" });
    expect(made(query, { guardrails })).toThrow(unsupported);
  });

  it("P5 refuses them in the file that the options name, and in this process's own environment", () => {
    const cwd = mkdtempSync(join(tmpdir(), "toolstile-settings-"));
    writeFileSync(join(cwd, "settings.json"), '{"disableAllHooks": true}');
    const unsupported = expect.objectContaining({ code: "ERR_UNSUPPORTED" });
    expect(made({ cwd, settings: "settings.json" }, { guardrails })).toThrow(unsupported);
    expect(made({ cwd, extraArgs: { settings: "settings.json" } }, { guardrails })).toThrow(
      unsupported,
    );
    rmSync(cwd, { recursive: true });
    vi.stubEnv("CLAUDE_CODE_SAFE_MODE", "1");
    onTestFinished(() => void vi.unstubAllEnvs());
    expect(made({}, { guardrails })).toThrow(unsupported);
    expect(made({ env: { PATH: "/bin" } }, { guardrails })).not.toThrow();
  });

  it("takes settings that leave hooks alone, and the path of a file", () => {
    const hooks = { Stop: command, PreToolUse: [] };
    const env = { CLAUDE_CODE_SAFE_MODE: "0", PATH: "/bin" };
    expect(made({ settings: { hooks, env }, env }, { guardrails })).not.toThrow();
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
