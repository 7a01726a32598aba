import { readdirSync, readFileSync } from "node:fs";
import * as approval from "@toolstile/approval";
import * as auditLog from "@toolstile/audit-log";
import * as core from "@toolstile/core";
import * as digests from "@toolstile/core/digest";
import * as openai from "@toolstile/openai";
import * as redact from "@toolstile/redact";
import * as cel from "@toolstile/rules/cel";
import * as testing from "@toolstile/testing";
import * as cpu from "@toolstile/testing/cpu";
import { describe, expect, it } from "vitest";

const packages = new URL("../../packages/", import.meta.url);
/** Entries for packages, which take what their types say. */
const forPackages = new Set([
  "@toolstile/config/yaml",
  "@toolstile/core/files",
  "@toolstile/core/host",
  "@toolstile/core/provider",
  "@toolstile/mcp/proxy",
  "create-toolstile",
]);

/** The names of all entries that people import. */
function entries(): string[] {
  return readdirSync(packages).flatMap((folder) => {
    const manifest = readFileSync(new URL(`${folder}/package.json`, packages), "utf8");
    const { name, exports = {} } = JSON.parse(manifest);
    return Object.keys(exports)
      .filter((path) => !path.endsWith(".json"))
      .map((path) => `${name}${path.slice(1)}`)
      .filter((entry) => !forPackages.has(entry));
  });
}

const modules = await Promise.all(
  entries().map(async (entry) => [entry.replace("@toolstile/", ""), await import(entry)] as const),
);

type Call = (...given: unknown[]) => unknown;

const functions = modules.flatMap(([module, exported]) =>
  Object.entries(exported)
    .filter((entry): entry is [string, Call] => isFunction(entry[1]))
    .map(([name, call]) => ({ name: `${module}: ${name}()`, call })),
);

/** Classes have fields and methods to be read, and are made by few. */
function isFunction(value: unknown): boolean {
  return typeof value === "function" && !/^class\b/.test(String(value));
}

/** The error of a call, at once or later. */
async function errorOf(call: Call, ...given: unknown[]): Promise<unknown> {
  try {
    const made = await call(...given);
    const next: unknown = Object(made)[Symbol.asyncIterator]?.().next();
    await next;
    return undefined;
  } catch (error) {
    return error;
  }
}

const wrong = [undefined, null, 5, {}, []];
const runner = new core.ToolRunner({ tools: [], guardrails: [core.allowAll()] });
/** First arguments that many take. A text might be the path of a file to be made. */
const pairs = [{}, () => 1, core.allowAll(), runner].flatMap((first) =>
  wrong.map((second) => [first, second]),
);

describe("a function that is given what it cannot use", () => {
  it.each(functions)("does not leave it to the engine to say so: $name", async ({ call }) => {
    const found: unknown[] = [];
    for (const given of [...wrong.map((each) => [each]), ...pairs]) {
      const error = await errorOf(call, ...given);
      if (error instanceof TypeError) found.push([given, error.message]);
    }
    expect(found).toEqual([]);
  });

  it("is one of every entry that is not for packages alone", () => {
    const names = modules.map(([module]) => module);
    expect(names).toEqual(expect.arrayContaining(["core", "rules/cel", "testing/cpu"]));
    expect(functions.length).toBeGreaterThan(names.length);
  });

  it.each<[string, () => unknown, string]>([
    ["verify()", () => auditLog.verify(undefined as never), "'source' must be the path of a file"],
    ["verify()", () => auditLog.verify(5 as never), "bytes, or its lines, received 5."],
    ["verify()", () => auditLog.verify({} as never), "or its lines, received object."],
    ["verify()", () => auditLog.verify([7] as never), "or its lines, received an array."],
    ["textOf()", () => core.textOf({ result: {} } as never), "as in outcome.result"],
    ["throwOnDeny()", () => core.throwOnDeny(Promise.resolve() as never), "the awaited outcome"],
    ["render()", () => approval.render({ question: {} } as never), "as in record.question"],
    ["chatTools()", () => openai.chatTools([] as never), "'runner' must be a ToolRunner"],
    ["digest()", () => digests.digest(1, null as never), "'key' must be a string or bytes"],
    [
      "compileExpression()",
      () => cel.compileExpression(5 as never, { variables: {} }),
      "'text' must be an expression in CEL, received 5.",
    ],
    [
      "compileExpression()",
      () => cel.compileExpression("true", {} as never),
      "'variables' must be an object of JSON Schemas, or true, by name, received undefined.",
    ],
    ["fakeTool()", () => testing.fakeTool("a", null as never), "'options' must be an object"],
    ["fakeTool()", () => testing.fakeTool(""), "'name' must be a non-empty string"],
    ["leastCpuMs()", () => cpu.leastCpuMs(5 as never), "'run' must be a function"],
    ["quietCpuMs()", () => cpu.quietCpuMs(() => 1, { tries: 0 }), "'tries' must be a whole"],
    ["memoryTokens()", () => redact.memoryTokens({ max: 5 } as never), "no option 'max'"],
  ])("%s says what it takes", async (where, call, words) => {
    const error = await errorOf(call, undefined);
    expect(core.ToolstileError.isInstance(error)).toBe(true);
    expect(String(error)).toContain(where);
    expect(String(error)).toContain(words);
  });
});
