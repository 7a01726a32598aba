import { describe, expect, it } from "vitest";
import { guardExecutor } from "../src/host/executor.js";
import { allowAll, type Guardrail, type Tool, ToolRunner, tool, toolResult } from "../src/index.js";
import { canonicalJson } from "../src/provider/index.js";
import { StaticWorkbench } from "../src/workbench/index.js";
import { messageOf } from "./support/errors.js";
import { guard, spyTool } from "./support/runners.js";

const guardrails = [allowAll()];
const runnerOf = (tools: readonly object[], more: readonly Guardrail[] = []) =>
  new ToolRunner({ tools: tools as readonly Tool[], guardrails: [...guardrails, ...more] });
const bench = (tools: readonly object[], more: object = {}) =>
  new StaticWorkbench(tools as readonly Tool[], { guardrails, ...more });
const standard = {
  "~standard": { version: 1, vendor: "own", validate: (value: unknown) => ({ value }) },
};

function revoked(): object {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  return proxy;
}

describe("P5 an error of a tool says what was wrong:", () => {
  it.each<[string, () => unknown]>([
    [
      "Tool 't': `execute` must be a function, received 7.",
      () => runnerOf([{ name: "t", execute: 7 }]),
    ],
    [
      "Tool 't': `sealed` must be a boolean, received 1.",
      () => runnerOf([{ name: "t", sealed: 1 }]),
    ],
    [
      "Tool 't': `unchecked` must be a boolean, received string.",
      () => runnerOf([{ name: "t", unchecked: "no" }]),
    ],
    [
      "The tool 't' has `sealed: true`, but only tool() can seal its execute. Make it with tool() of this copy of @toolstile/core.",
      () => runnerOf([{ name: "t", sealed: true, execute: () => "" }]),
    ],
    ["The tool 't' is sealed but has no execute to seal.", () => tool({ name: "t", sealed: true })],
    [
      "Tool 't': `parameters` must be a JSON Schema or a Standard Schema. Schemas of zod are one from version 3.24 on.",
      () => runnerOf([{ name: "t", parameters: null }]),
    ],
    ["Two tools are named 't'.", () => runnerOf([{ name: "t" }, { name: "t" }])],
    [
      'Tool number 2 of the list must be an object with a name, such as { name: "search" }.',
      () => runnerOf([{ name: "t" }, {}]),
    ],
    [
      'Tool number 1 of the list must be an object with a name, such as { name: "search" }.',
      () => runnerOf([revoked()]),
    ],
    [
      'Tool number 1 of the list must be an object with a name, such as { name: "search" }. Pass what is under its `function`.',
      () => runnerOf([{ type: "function", function: { name: "t" } }]),
    ],
    [
      "Two guardrails are named 'own': the runner's and a tool's. Give one of them another name.",
      () => runnerOf([{ name: "t", guardrails: [guard("own")] }], [guard("own")]),
    ],
    [
      "A guardrail is named 'parameters', under which records tell of the schema of the tool 't'. Give it another name.",
      () => runnerOf([{ name: "t", parameters: standard }], [guard("parameters")]),
    ],
    [
      "The override of 'a' takes the name 'b', which another tool has.",
      () => bench([{ name: "a" }, { name: "b" }], { overrides: { a: { name: "b" } } }),
    ],
    [
      "A workbench has no option 'tools'. It takes: guardrails, observers, approver, receiptSigner, policyVersion, unchecked, timeoutMs, limits, maxOpenCalls, onFault, clock, overrides.",
      () => bench([], { tools: [] }),
    ],
    [
      "guardExecutor(): 'tools' must be an array of tools, received 7.",
      () => guardExecutor(() => "", { tools: 7 as never, guardrails }),
    ],
    [
      "There is a state for the tool 'nope', which does not exist or has no state.",
      () => bench([]).loadState({ tools: { nope: {} } }),
    ],
    [
      "There is a state for the tool 't', which does not exist or has no state.",
      () => bench([{ name: "t" }]).loadState({ tools: { t: null } }),
    ],
    ...[null, "state", 7, { tools: null }, { tools: 7 }, { tools: [] }, { a: 1 }].map(
      (state): [string, () => unknown] => [
        `loadState(): the state must be an object that saveState() gave, { tools }, received ${
          typeof state === "number" ? state : state === null ? "null" : typeof state
        }.`,
        () => bench([]).loadState(state as never),
      ],
    ),
    [
      "toolResult(): the options must be readable, and reading them threw.",
      () => toolResult(revoked() as never),
    ],
    [
      "A value of type bigint that JSON cannot hold has no canonical text. Pass plain JSON values.",
      () => canonicalJson(1n),
    ],
  ])("%s", async (message, act) => {
    expect(await messageOf(act)).toBe(message);
  });

  it("P5 names the prototype that must not have a toJSON", async () => {
    Object.defineProperty(Array.prototype, "toJSON", { value: () => [], configurable: true });
    try {
      expect(await messageOf(() => runnerOf([{ name: "t" }]))).toBe(
        "The definition of tool 't' cannot be read while a root prototype has a toJSON. Find the code that sets it.",
      );
    } finally {
      Reflect.deleteProperty(Array.prototype, "toJSON");
    }
  });
});

describe("P2 the reason of a call whose schema makes what JSON cannot hold", () => {
  it("says so, with a code", async () => {
    const parameters = {
      "~standard": { version: 1, vendor: "own", validate: () => ({ value: { at: new Date(0) } }) },
    };
    expect(await runnerOf([{ ...spyTool("t"), parameters }]).run({ name: "t" })).toMatchObject({
      status: "denied",
      code: "schema_not_json",
      reason: "the schema of tool 't' makes what JSON cannot hold",
    });
  });
});

describe("P5 a member of a tool", () => {
  const loaded = (key: string) => () => runnerOf([{ name: "t", [key]: undefined }]);

  it.each([
    ["xxscription", "description"],
    ["xxrameters", "parameters"],
    ["xxtputSchema", "outputSchema"],
    ["xxnotations", "annotations"],
    ["xxardrails", "guardrails"],
    ["xxchecked", "unchecked"],
    ["xxmeoutMs", "timeoutMs"],
    ["xecute", "execute"],
    ["xealed", "sealed"],
    ["namee", "name"],
  ])("P5 that is a slip, %s, is refused with the right name", (key, right) => {
    expect(loaded(key)).toThrow(
      `The tool 't' has a member '${key}', which core does not read. It goes under ${right}.`,
    );
  });

  it.each([
    ...["xxxcription", "xxxrameters", "xxxputSchema", "xxxotations", "xxxrdrails", "xxxhecked"],
    ...["xxxeoutMs", "yyecute", "xxaled", "nameee", "nam", "naem"],
  ])("that differs more, %s, is its own", (key) => {
    expect(loaded(key)).not.toThrow();
  });
});
