import { describe, expect, it } from "vitest";
import { guardExecutor } from "../src/host/executor.js";
import {
  allow,
  allowAll,
  chain,
  forTools,
  ToolRunner,
  ToolstileError,
  tool,
} from "../src/index.js";
import { guardWorkbench, StaticWorkbench } from "../src/workbench/index.js";
import { error } from "./support/errors.js";
import { everythingIn, guard, made, spyObserver, spyTool } from "./support/runners.js";

describe("P5 a typo", () => {
  it.each([
    ["tool", "tools"],
    ["guardrail", "guardrails"],
    ["gaurdrails", "guardrails"],
    ["observer", "observers"],
    ["policyversion", "policyVersion"],
    ["alias", "aliases"],
    ["uncheked", "unchecked"],
    ["timeoutMS", "timeoutMs"],
    ["limit", "limits"],
    ["maxOpenCall", "maxOpenCalls"],
    ["clocks", "clock"],
  ])("P5 in an option is named, with the nearest: %s", (typo, meant) => {
    expect(made({ [typo]: 1 })).toThrow(
      error("ERR_UNKNOWN_OPTION", `ToolRunner has no option '${typo}'`, `Did you mean '${meant}'?`),
    );
  });

  it("P5 in an option of a wrapped executor, or of a workbench, offers theirs", () => {
    const options = { guardrails: [], tools: [] };
    expect(() => guardExecutor(() => "", { ...options, descibe: 1 } as never)).toThrow(
      error(
        "ERR_UNKNOWN_OPTION",
        "guardExecutor() has no option 'descibe'",
        "Did you mean 'describe'?",
      ),
    );
    for (const workbench of [
      (more: object) => new StaticWorkbench([], { guardrails: [], ...more }),
      (more: object) =>
        guardWorkbench(new StaticWorkbench([], { guardrails: [] }), { guardrails: [], ...more }),
    ]) {
      expect(() => workbench({ overides: {} })).toThrow(
        error("ERR_UNKNOWN_OPTION", "no option 'overides'", "Did you mean 'overrides'?"),
      );
      // They would be silently off.
      expect(() => workbench({ aliases: {} })).toThrow(error("ERR_UNKNOWN_OPTION", "'aliases'"));
      expect(() => workbench({ tools: [] })).toThrow(error("ERR_UNKNOWN_OPTION", "'tools'"));
    }
  });

  it.each<[string, object, string]>([
    ["no options", null as never, "ERR_INVALID_OPTION"],
    ["no guardrails", { guardrails: undefined }, "ERR_INVALID_OPTION"],
    ["a guardrail that is not in a list", { guardrails: allowAll() }, "ERR_INVALID_OPTION"],
    ["a factory that was not called", { guardrails: [allowAll] }, "ERR_INVALID_PROVIDER"],
    ["an observer among the guardrails", { guardrails: [spyObserver()] }, "ERR_INVALID_PROVIDER"],
    ["a time of 0", { timeoutMs: 0 }, "ERR_INVALID_OPTION"],
    ["a time that is text", { timeoutMs: "5" }, "ERR_INVALID_OPTION"],
    ["a time that is NaN", { timeoutMs: Number.NaN }, "ERR_INVALID_OPTION"],
    ["limits of 0", { limits: { maxDepth: 0 } }, "ERR_INVALID_OPTION"],
    ["room for 0 calls", { maxOpenCalls: 0 }, "ERR_INVALID_OPTION"],
    ["room for text calls", { maxOpenCalls: "many" }, "ERR_INVALID_OPTION"],
    ["room for NaN calls", { maxOpenCalls: Number.NaN }, "ERR_INVALID_OPTION"],
    ["a policy version that is no text", { policyVersion: 7 }, "ERR_INVALID_OPTION"],
    ["tools that are no list", { tools: { send: spyTool() } }, "ERR_INVALID_OPTION"],
    ["observers that are no list", { observers: spyObserver() }, "ERR_INVALID_OPTION"],
    ["aliases that are a list", { aliases: ["send"] }, "ERR_INVALID_OPTION"],
    ["unchecked by more than true", { unchecked: "yes" }, "ERR_INVALID_OPTION"],
    ["a clock that has no hands", { clock: { now: () => 0 } }, "ERR_INVALID_OPTION"],
    ["a clock that is a function", { clock: Date.now }, "ERR_INVALID_OPTION"],
    ["limits that are fractions", { limits: { maxNodes: 1.5 } }, "ERR_INVALID_OPTION"],
    ["limits misspelt", { limits: { maxDept: 3 } }, "ERR_UNKNOWN_OPTION"],
    ["a tool without a name", { tools: [{}] }, "ERR_INVALID_TOOL"],
    ["a tool that is nothing", { tools: [undefined] }, "ERR_INVALID_TOOL"],
    ["two tools of one name", { tools: [spyTool(), spyTool()] }, "ERR_DUPLICATE_TOOL"],
    ["an alias of no tool", { tools: [spyTool()], aliases: { x: "sned" } }, "ERR_UNKNOWN_TOOL"],
    [
      "an alias that is a tool's name",
      { tools: [spyTool()], aliases: { send: "send" } },
      "ERR_DUPLICATE_TOOL",
    ],
    [
      "a tool's time of 0",
      { tools: [spyTool("send", () => 1, { timeoutMs: 0 })] },
      "ERR_INVALID_OPTION",
    ],
    [
      "two guardrails of one name",
      { guardrails: [allowAll(), chain([allowAll()])] },
      "ERR_DUPLICATE_PROVIDER",
    ],
    [
      "a tool's guardrail of the name of one of the runner's",
      { guardrails: [allowAll()], tools: [spyTool("send", () => 1, { guardrails: [allowAll()] })] },
      "ERR_DUPLICATE_PROVIDER",
    ],
  ])("P5 %s is refused", (_what, options, code) => {
    expect(options === null ? () => new ToolRunner(null as never) : made(options)).toThrow(
      expect.objectContaining({ code }),
    );
  });

  it.each([["text"], ["OpenAI's shape"]])(
    "P5 a tool that is %s is told by its place and the right shape",
    (what) => {
      const wrong = what === "text" ? "search" : { type: "function", function: { name: "search" } };
      expect(made({ tools: [spyTool(), wrong] } as never)).toThrow(
        error("ERR_INVALID_TOOL", "number 2 of the list", '{ name: "search" }'),
      );
    },
  );

  it("P5 in a tool's name is found in forTools, in a guard's `tools` and in aliases, with the nearest", () => {
    const tools = [spyTool("send_mail")];
    for (const options of [
      { tools, guardrails: [forTools(["send_mial"], allowAll())] },
      { tools, guardrails: [guard("g", { tools: ["send_mial"] })] },
      { tools, guardrails: [chain([guard("g", { tools: ["send_mial"] })])] },
      { tools, aliases: { mail: "send_mial" } },
    ]) {
      expect(made(options)).toThrow(
        error("ERR_UNKNOWN_TOOL", "'send_mial'", "Did you mean 'send_mail'?"),
      );
    }
  });

  it.each([
    ["evalute", "evaluate"],
    ["evaluateResults", "evaluateResult"],
    ["admits", "admit"],
    ["settled", "settle"],
    ["regster", "register"],
    ["checkArguments", "checksArguments"],
  ])("P5 in a member of a guardrail is named, with the nearest: %s", (typo, meant) => {
    expect(made({ guardrails: [{ ...guard("g"), [typo]: () => allow() }] })).toThrow(
      error("ERR_UNKNOWN_MEMBER", `'${typo}'`, `Did you mean '${meant}'?`),
    );
  });

  it("P5 in a member of a tool is named, with the nearest", () => {
    expect(() => tool({ name: "send", seald: true } as never)).toThrow(
      error("ERR_UNKNOWN_OPTION", "tool() has no option 'seald'", "Did you mean 'sealed'?"),
    );
    expect(() => tool({ name: "" })).toThrow(error("ERR_INVALID_TOOL"));
  });

  it("P5 no error holds the value of an option", () => {
    const secret = "hunter2";
    for (const options of [
      { timeoutMs: secret },
      { limits: { maxDepth: secret } },
      { guardrails: secret },
      { tools: [spyTool("send", () => 1, { timeoutMs: secret as never })] },
      { guardrails: [guard("g", { timeoutMs: secret as never })] },
      { guardrails: [guard("g", { tools: secret as never })] },
    ]) {
      let thrown: unknown;
      try {
        made(options)();
      } catch (caught) {
        thrown = caught;
      }
      expect(thrown).toBeInstanceOf(ToolstileError);
      expect(everythingIn(thrown)).not.toContain(secret);
    }
  });
});
