import { resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { Permit } from "../src/call/permit.js";
import { resolvedPath } from "../src/files/index.js";
import { guardExecutor } from "../src/host/executor.js";
import {
  ApprovalRequests,
  list,
  nonEmptyText,
  oneOf,
  positive,
  readOptions,
  type ToolAnswer,
  text,
} from "../src/host/index.js";
import {
  allowAll,
  chain,
  forTools,
  ToolRunner,
  type ToolRunnerOptions,
  when,
} from "../src/index.js";
import { parseArguments } from "../src/json/parse.js";
import { guardWorkbench, StaticWorkbench } from "../src/workbench/index.js";
import { callOf } from "./support/calls.js";
import { outcomeOf, spyTool } from "./support/runners.js";

const build = (options: object) => new ToolRunner({ guardrails: [], ...options } as never);
const guarded = (guard: object) =>
  build({ guardrails: [{ ...allowAll({ name: "g" }), ...guard }] });
const observed = (...observers: object[]) =>
  build({ observers: observers.map((each) => ({ name: "log", settle: () => {}, ...each })) });
const bench = (options: object) => new StaticWorkbench([], { guardrails: [], ...options } as never);

/** Opens a call and closes it with an answer. */
async function closedWith(answer: object, times = 1): Promise<unknown> {
  const runner = new ToolRunner({ tools: [spyTool()], guardrails: [allowAll()] });
  const opened = await runner.open({ name: "send" });
  if (opened.permit === undefined) throw new Error("the call was stopped");
  for (let time = 1; time < times; time++) await opened.close(answer as ToolAnswer);
  return opened.close(answer as ToolAnswer);
}

it.each<[string, () => unknown]>([
  [
    "w(): 'a' must be a non-empty string, received an empty string.",
    () => readOptions("w()", { a: "" }, { a: nonEmptyText() }),
  ],
  [
    'w(): \'a\' must be "x" or "y", received string.',
    () => readOptions("w()", { a: "z" }, { a: oneOf("x", "y") }),
  ],
  [
    'w(): \'a\' must be one of "x", "y", "z", received string.',
    () => readOptions("w()", { a: "w" }, { a: oneOf("x", "y", "z") }),
  ],
  [
    "w(): 'a' must be a positive number, or Infinity, received 0.",
    () => readOptions("w()", { a: 0 }, { a: positive().or(Number.POSITIVE_INFINITY) }),
  ],
  [
    "w(): 'a[1]' must be a string, received 7.",
    () => readOptions("w()", { a: ["x", 7] }, { a: list(text()) }),
  ],
  [
    "ToolRunner: 'guardrails' must be an array of guardrails, received undefined.",
    () => build({ guardrails: undefined }),
  ],
  [
    "ToolRunner: 'observers' must be an array of observers, received 7.",
    () => build({ observers: 7 }),
  ],
  ["ToolRunner: 'tools' must be an array of tools, received 7.", () => build({ tools: 7 })],
  [
    "forAgent(): 'guardrails' must be an array of guardrails, received 7.",
    () => build({}).forAgent("a", { guardrails: 7 as never }),
  ],
  [
    "Listener for 'settled': it must be a function, received 7.",
    () => build({}).on("settled", 7 as never),
  ],
  [
    "The event must be one of settled, fault, executed, failed, withheld, denied, invalid, not_found, aborted, unknown, released, received 'setled'. Did you mean 'settled'?",
    () => build({}).on("setled" as never, (() => {}) as never),
  ],
  [
    "chain(): the guardrails must be a list, such as [allowAll()], received 7.",
    () => chain(7 as never),
  ],
  [
    "forTools(tools, guardrail): the guardrail must be an object with a name and evaluate(call), received number.",
    () => forTools(["a"], 7 as never),
  ],
  [
    "when(condition, guardrail): the guardrail must be an object with a name and evaluate(call), received number.",
    () => when(() => true, 7 as never),
  ],
  ["Guardrail 'g': `evaluate` must be a function, received 7.", () => guarded({ evaluate: 7 })],
  ["Guardrail 'g': `settle` must be a function, received 7.", () => guarded({ settle: 7 })],
  ["Guardrail 'g': `tools` must be a list of tool names, received 7.", () => guarded({ tools: 7 })],
  [
    "The guardrail 'chain(g)' was composed by another copy of @toolstile/core, or copied. Install one copy, and pass on what chain(), shadow() and the like gave.",
    () => build({ guardrails: [{ ...chain([allowAll({ name: "g" })]) }] }),
  ],
  ["Observer 'log': `settle` must be a function, received 7.", () => observed({ settle: 7 })],
  ["Observer 'log': `required` must be a boolean, received 7.", () => observed({ required: 7 })],
  ["Two observers are named 'log'. Give one of them another name.", () => observed({}, {})],
  [
    "guardExecutor(): the executor must be the function that runs tools, received 7.",
    () => guardExecutor(7 as never, { tools: [], guardrails: [] }),
  ],
  [
    "guardWorkbench(): the first argument must be a workbench, and it lacks listTools(), callTool(), callToolStream(), start(), stop(), reset(), saveState(), loadState().",
    () => guardWorkbench({} as never, { guardrails: [] }),
  ],
  [
    "The override of 'send': 'name' must be a non-empty string, received an empty string.",
    () => bench({ overrides: { send: { name: "" } } }),
  ],
  [
    "A permit cannot be made, only opened for.",
    () =>
      new (Permit as unknown as new (key: symbol, call: object) => Permit)(Symbol("x"), callOf()),
  ],
  ["This call has been closed already.", () => closedWith({ value: 1 }, 2)],
  [
    "close() has no option 'valu'. Did you mean 'value'? It takes: value, error, released, unused, unknown.",
    () => closedWith({ valu: 1 }),
  ],
  [
    "close(): the answer must be one of { value }, { error }, { released: true }, { unused: true } and { unknown: true }.",
    () => closedWith(7 as never),
  ],
  [
    "ApprovalRequests: 'approver' must be an object with a name, ask(), recall() and consume(), received object.",
    () =>
      new ApprovalRequests({
        guardrails: [],
        approver: { name: "", ask: () => {}, recall: () => {}, consume: () => {} },
      } as never as ToolRunnerOptions),
  ],
])("P5 an error says: %s", async (message, act) => {
  const error = await Promise.resolve()
    .then(act)
    .then(
      () => undefined,
      (thrown: Error) => thrown,
    );
  expect(error?.message).toBe(message);
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

it("P4 a tool is told that its answer is no longer wanted", async () => {
  const caller = new AbortController();
  let reason: unknown;
  const tool = spyTool("send", (_args, { signal }) => {
    signal.addEventListener("abort", () => {
      reason = signal.reason;
    });
    caller.abort("gone");
    return new Promise(() => {});
  });
  const runner = new ToolRunner({ tools: [tool], guardrails: [allowAll()] });
  await expect(runner.run({ name: "send" }, { signal: caller.signal })).rejects.toThrow();
  expect(reason).toBe("gone");
});
