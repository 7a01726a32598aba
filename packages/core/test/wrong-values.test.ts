import { describe, expect, it } from "vitest";
import { guardExecutor } from "../src/host/executor.js";
import { ApprovalRequests } from "../src/host/index.js";
import {
  allowAll,
  chain,
  forTool,
  forTools,
  parallel,
  ToolRunner,
  ToolstileError,
  throwOnDeny,
  tool,
} from "../src/index.js";
import { list, object, readOptions, text } from "../src/provider/index.js";
import { guardWorkbench, StaticWorkbench, type Workbench } from "../src/workbench/index.js";
import { errorOf } from "./support/errors.js";
import { guard } from "./support/runners.js";
import { InnerBench } from "./support/workbenches.js";

function boom(): never {
  throw new Error("a getter");
}

const guardrails = [allowAll()];
const search = tool({ name: "search", execute: () => "found" });

function revoked(target: object): never {
  const { proxy, revoke } = Proxy.revocable(target, {});
  revoke();
  return proxy as never;
}

const throwing = Object.defineProperty(["a"], 0, {
  get() {
    throw new Error("a secret");
  },
});

function inner(answer: unknown): Workbench {
  return Object.assign(new InnerBench(), { listTools: async () => answer as never });
}

it.each<[string, () => unknown, RegExp]>([
  [
    "options that are a revoked proxy",
    () => readOptions("w()", revoked({}), { a: text() }),
    /^w\(\): the options must be readable/,
  ],
  [
    "an option that is a revoked proxy",
    () => readOptions("w()", { a: revoked([]) }, { a: text() }),
    /^w\(\): 'a' must be a string, received object/,
  ],
  [
    "a list that is a revoked proxy",
    () => readOptions("w()", { a: revoked([]) }, { a: list(text()) }),
    /^w\(\): 'a' must be an array, received object/,
  ],
  [
    "a list with an entry that cannot be read",
    () => readOptions("w()", { a: throwing }, { a: list(text()) }),
    /^w\(\): 'a' must be readable/,
  ],
  [
    "a guard's tools that are no list",
    () => forTools({} as never, allowAll()),
    /list of tool names/,
  ],
  [
    "an alias for what is no name",
    () => new ToolRunner({ tools: [search], guardrails, aliases: { find: {} as never } }),
    /^ToolRunner: 'aliases\['find'\]' must be the name of a tool, received object/,
  ],
  [
    "a tool without a name",
    () => tool({ name: "" }),
    /^tool\(\): `name` must be a string that is not empty, received an empty string/,
  ],
  [
    "a tool with a seal that is none",
    () => tool({ name: "a", sealed: 1 as never }),
    /^Tool 'a': `sealed` must be a boolean, received 1/,
  ],
  [
    "the facts of a call that are a promise, where it is resumed",
    () =>
      guardExecutor(() => "", {
        tools: [search],
        guardrails,
        describe: () => Promise.resolve({}) as never,
      }).resume("a1"),
    /^guardExecutor\(\): `describe` must return a plain object at once, and not a promise/,
  ],
  [
    "later tools that are no list",
    () => new ToolRunner({ guardrails }).setTools({} as never),
    /^setTools\(\): the tools must be an array, received object/,
  ],
  [
    "no options at all",
    () => new ApprovalRequests(undefined as never),
    /^ApprovalRequests: 'approver' must be .*, received undefined/,
  ],
  [
    "tools of a workbench that are no list",
    () => new StaticWorkbench({} as never, { guardrails }),
    /^StaticWorkbench: the tools must be an array, received object/,
  ],
  [
    "an inner workbench that is none",
    () => guardWorkbench(null as never, { guardrails }),
    /^guardWorkbench\(\): the first argument must be a workbench, received null/,
  ],
  [
    "a schema of a library that is too old",
    () =>
      new ToolRunner({ tools: [{ name: "a", parameters: { safeParse: () => {} } }], guardrails }),
    /^Tool 'a': `parameters` must be .* Schemas of zod are one from version 3\.24 on\./,
  ],
  [
    "a workbench's tool that is none",
    () => new StaticWorkbench([null as never], { guardrails }),
    /^Tool number 1 of the list must be an/,
  ],
  [
    "an inner workbench's list that is none",
    () => guardWorkbench(inner({}), { guardrails }).listTools(),
    /^guardWorkbench\(\): what listTools\(\) gives must be a list .*received object/,
  ],
  [
    "an inner workbench's list with a hole",
    () => guardWorkbench(inner([null]), { guardrails }).listTools(),
    /^guardWorkbench\(\): what listTools\(\) gives must be a list/,
  ],
])("is told of %s where it is wrong, in the words of an option", async (_, act, message) => {
  const error = await Promise.resolve()
    .then(act)
    .catch((thrown: unknown) => thrown);
  expect(ToolstileError.isInstance(error)).toBe(true);
  expect((error as Error).message).toMatch(message);
});

it("takes an object option for no list also where asking what it is throws", () => {
  const given = revoked({}) as object;
  expect(readOptions("w()", { a: given }, { a: object() }).a).toBe(given);
});

it("takes null for no options of a call, on every way in", async () => {
  const none = null as never;
  const runner = new ToolRunner({ tools: [search], guardrails });
  const bench = new StaticWorkbench([search], { guardrails });
  expect((await runner.run({ name: "search" }, none)).status).toBe("executed");
  const pieces = runner.stream({ name: "search" }, none);
  expect((await pieces.next()).value).toMatchObject({ status: "executed" });
  expect((await runner.open({ name: "search" }, none)).outcome).toBeUndefined();
  expect((await bench.callTool("search", {}, none)).content).toBe("found");
  const items = bench.callToolStream("search", {}, none);
  expect(await items.next()).toMatchObject({ done: false });
});

describe("what is refused", () => {
  it("is a listener that is no function", () => {
    const runner = new ToolRunner({ guardrails: [allowAll()] });
    const error = errorOf(() => runner.on("settled", "log" as never));
    expect(error).toMatchObject({ code: "ERR_INVALID_OPTION" });
    expect(error.message).toContain("must be a function, received string");
  });

  it("is a `sealed` that is neither true nor false", () => {
    const error = errorOf(() => tool({ name: "t", sealed: "no" as never, execute: () => "" }));
    expect(error.message).toContain("`sealed` must be a boolean, received string");
  });

  it("is a definition that is not JSON, by name", () => {
    const parameters = { type: "object", maximum: 1n };
    const error = errorOf(
      () => new ToolRunner({ tools: [{ name: "t", parameters }], guardrails: [allowAll()] }),
    );
    expect(error.code).toBe("ERR_INVALID_TOOL");
    expect(`${error.message} ${(error.cause as Error | undefined)?.message}`).toContain(
      "The definition of tool 't' is not JSON.",
    );
  });

  it("are options that throw when they are read", () => {
    const options = new Proxy({}, { ownKeys: () => boom() });
    for (const make of [
      () => new ToolRunner(options as never),
      () => tool(options as never),
      () => new ToolRunner({ guardrails: [allowAll()], limits: options }),
    ]) {
      expect(errorOf(make).code).toMatch(/^ERR_INVALID_(?:OPTION|TOOL)$/);
    }
  });

  it("is no guard at all where several are to be asked at once", () => {
    expect(errorOf(() => parallel([])).message).toBe("parallel() needs at least one guardrail.");
  });

  it("is a call that cannot be read, by the error of whoever made it", () => {
    const broken = new Proxy({}, { get: () => boom(), getOwnPropertyDescriptor: () => boom() });
    expect(() => chain([guard("g", {})]).evaluate(broken as never)).toThrow("a getter");
  });

  it.each([undefined, null, 5, {}, { name: 7 }, "search", []])(
    "is a tool of forTool() that has no name: %j",
    (value) => {
      const error = errorOf(() => forTool(value as never, allowAll()));
      expect(error.code).toBe("ERR_INVALID_OPTION");
      expect(error.message).toContain("forTool(): 'tool' must be a tool, or what has its name");
    },
  );

  it.each([undefined, null, 5, {}, { status: 7 }, Promise.resolve({ status: "executed" })])(
    "is an outcome of throwOnDeny() that is none, such as a promise: %j",
    (value) => {
      const error = errorOf(() => throwOnDeny(value as never));
      expect(error.code).toBe("ERR_INVALID_OPTION");
      expect(error.message).toContain("throwOnDeny(): 'outcome' must be the awaited outcome");
    },
  );
});
