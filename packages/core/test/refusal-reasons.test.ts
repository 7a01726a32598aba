import { resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { resolvedPath } from "../src/files/index.js";
import {
  allowAll,
  type GuardrailProvider,
  ToolRunner,
  type ToolRunnerOptions,
} from "../src/index.js";
import { parseArguments } from "../src/json/parse.js";
import { outcomeOf, spyTool } from "./support/runners.js";

const runnerOf = (options: Partial<ToolRunnerOptions> = {}) =>
  new ToolRunner({ tools: [spyTool()], guardrails: [allowAll()], ...options });

describe("P5 the reason of a call that is refused", () => {
  const reasonOf = async (request: object, options: object = {}) => {
    const outcome = await runnerOf().run({ name: "send", ...request } as never, options);
    return "reason" in outcome ? outcome.reason : outcome.status;
  };

  it("names a fact that nobody reads, and where facts of the host's own go", async () => {
    expect(await reasonOf({}, { context: { sesionId: "s" } })).toBe(
      "the call's context has 'sesionId', which nobody reads: facts of the host's own go under attributes",
    );
  });

  it("names an option that no call has", async () => {
    expect(await reasonOf({}, { sginal: 1 })).toBe("a call has no option 'sginal'");
  });

  it("says why a tool was refused when it was declared, in a list of denials too", async () => {
    const picky: GuardrailProvider = {
      ...allowAll({ name: "picky" }),
      register: () => {
        throw new Error("no");
      },
    };
    const runner = new ToolRunner({ guardrails: [picky], onFault: () => {} });
    runner.setTools([spyTool()]);
    expect(runner.denialOf("send")).toEqual({
      basis: "policy",
      decidedBy: "picky",
      code: "tool_refused",
      reason: "tool 'send' was refused when it was declared: a guardrail did not take it on",
    });
    expect(await runner.run({ name: "send" })).toMatchObject({ ...runner.denialOf("send") });
  });
});

describe("the words that a caller reads", () => {
  it("P4 of a call that it aborted", async () => {
    const runner = new ToolRunner({ tools: [spyTool()], guardrails: [allowAll()] });
    const signal = AbortSignal.abort("gone");
    await expect(runner.run({ name: "send" }, { signal })).rejects.toMatchObject({
      message: "The caller aborted the tool call.",
      cause: "gone",
    });
  });

  it("of options of a call that are wrong", async () => {
    const runner = new ToolRunner({ tools: [spyTool()], guardrails: [allowAll()] });
    const reasonOf = async (options: object) => {
      const outcome = await runner.run({ name: "send" }, options);
      return "reason" in outcome ? outcome.reason : undefined;
    };
    expect(await reasonOf({ turnId: "" })).toBe(
      "`turnId` must be a string that is not empty, received string",
    );
    expect(await reasonOf({ context: null })).toBe("`context` must be an object, received null");
    expect(await reasonOf({ agentName: 7 })).toBe("`agentName` must be a string, received number");
    expect(await reasonOf({ signal: 7 })).toBe("`signal` must be an AbortSignal, received number");
    expect(await reasonOf({ repeatedId: 7 })).toBe(
      "`repeatedId` must be a boolean, received number",
    );
    expect(await reasonOf({ tools: 7 })).toBe("`tools` must be an array, received number");
  });

  it("P3 of a call that nobody would judge, before it is made", () => {
    const runner = new ToolRunner({ tools: [spyTool()], guardrails: [] });
    expect(runner.denialOf("send")).toMatchObject({
      code: "no_provider",
      reason: "no guardrail judged tool 'send'; add one that does, or allowAll()",
    });
  });

  it.each<[string, unknown, unknown]>([
    ["a key twice", '{"a":1,"a":2}', "an object has the same key twice"],
    ["half a pair", '{"a":"\\ud800"}', "a string has half of a surrogate pair"],
    ["a list", "[]", "they are not a JSON object"],
    ["a function", { a: () => 1 }, "a value is not plain JSON"],
    ["__proto__", '{"__proto__":1}', "an object has the key __proto__"],
    [
      "depth",
      `${'{"a":'.repeat(70)}1${"}".repeat(70)}`,
      "they are nested too deeply, or in a circle",
    ],
    ["size", " ".repeat(2_000_000), "they are too large"],
    [
      "a long integer",
      '{"a":9007199254740993}',
      "an integer is beyond 2^53 - 1, and would be rounded: give it as text",
    ],
    ["an infinite number", { a: Number.POSITIVE_INFINITY }, "a number is not finite"],
  ])("P2 of arguments with %s", (_, given, reason) => {
    expect(parseArguments(given)).toMatchObject({ ok: false, reason });
  });

  it("of a tool that failed without a word, and of one that failed with many", async () => {
    const contentOf = async (error: unknown) => {
      const { result } = await outcomeOf(() => {
        throw error;
      });
      return result.content;
    };
    expect(await contentOf(new Error(""))).toBe("Tool 'send' failed.");
    expect(await contentOf(7)).toBe("Tool 'send' failed.");
    const parts = (count: number) => Array.from({ length: count }, (_, at) => new Error(`e${at}`));
    expect(await contentOf(new AggregateError(parts(2), "both"))).toBe("both: e0; e1");
    expect(await contentOf(new AggregateError(parts(16)))).not.toContain("more");
    expect(await contentOf(new AggregateError(parts(17)))).toMatch(/; e15; and 1 more$/);
  });

  it("of a path, step by step in quotes", () => {
    expect(resolvedPath("a/b")).toBe(`'${resolve("a/b")}'`);
    expect(resolvedPath("/x/it's")).toMatch(/^'\/x\/it.*s'$/);
  });
});

describe("the words that operators read", () => {
  const faultOf = async (options: Partial<ToolRunnerOptions>, tool = spyTool()) => {
    const faults: unknown[] = [];
    const runner = new ToolRunner({
      tools: [tool],
      guardrails: [allowAll()],
      timeoutMs: 1,
      onFault: ({ error }) => void faults.push((error as Error).message),
      ...options,
    });
    await runner.run({ name: "send" });
    return faults;
  };

  it("P2 of a schema that answers nothing", async () => {
    const parameters = {
      "~standard": { version: 1, vendor: "own", validate: () => ({}) },
    } as const;
    expect(await faultOf({}, { ...spyTool(), parameters } as never)).toEqual([
      "The schema gave no value.",
    ]);
  });
});
