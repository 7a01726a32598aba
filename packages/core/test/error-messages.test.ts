import { describe, expect, it } from "vitest";
import { Permit } from "../src/call/permit.js";
import { guardExecutor } from "../src/host/executor.js";
import { ApprovalRequests, type ToolAnswer } from "../src/host/index.js";
import {
  allow,
  allowAll,
  chain,
  forTools,
  liveChain,
  shadow,
  ToolRunner,
  type ToolRunnerOptions,
  toolResult,
  when,
  withTimeout,
} from "../src/index.js";
import { list, nonEmptyText, oneOf, positive, readOptions, text } from "../src/provider/index.js";
import { guardWorkbench, StaticWorkbench } from "../src/workbench/index.js";
import { approver } from "./support/approvals.js";
import { callOf, foreignCall } from "./support/calls.js";
import { messageOf } from "./support/errors.js";
import { guard, spyTool } from "./support/runners.js";

const runnerOf = (options: Partial<ToolRunnerOptions> = {}) =>
  new ToolRunner({ tools: [spyTool()], guardrails: [allowAll()], ...options });

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
    'w(): \'a\' must be one of "mail", "host", "iban", received "email". Did you mean "mail"?',
    () => readOptions("w()", { a: "email" }, { a: oneOf("mail", "host", "iban") }),
  ],
  [
    'w(): \'a\' must be one of "mail", "host", "iban", received string.',
    () =>
      readOptions(
        "w()",
        { a: "a secret in the wrong place" },
        { a: oneOf("mail", "host", "iban") },
      ),
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
  expect(await messageOf(act)).toBe(message);
});

describe("P5 an error says what was wrong:", () => {
  it.each<[string, () => unknown]>([
    [
      "forTools(): it takes the names of tools, received a tool. Write tool.name.",
      () => forTools([spyTool()] as never, allowAll()),
    ],
    [
      "Guardrail 'g': `register` must answer at once, received a promise.",
      () => runnerOf({ guardrails: [guard("g", { register: (async () => {}) as never })] }),
    ],
    [
      "The arguments of a call are not JSON: a value is not plain JSON.",
      () => chain([allowAll()]).evaluate(foreignCall({ at: new Date() } as never)),
    ],
    [
      "The live chain 'rules' must stand directly among the guardrails of a runner of its own copy of @toolstile/core, not inside another guard. Wrap the guards in it instead.",
      () => shadow(liveChain([allowAll()], { name: "rules" }).guardrail),
    ],
    [
      "The guardrail 'g' has neither evaluate(call) nor evaluateResult(call, result). Observers go under `observers`.",
      () => runnerOf({ guardrails: [{ name: "g" } as never] }),
    ],
    [
      "runAll(): the calls must be an array, received object.",
      () => runnerOf().runAll({} as never),
    ],
    [
      "runAll(): what it is given must be readable, and reading it threw.",
      () =>
        runnerOf().runAll([], {
          get agentName(): never {
            throw new Error("no");
          },
        }),
    ],
    [
      "denialOf() has no option 'agent'. It takes: agentName, context.",
      () => runnerOf().denialOf("send", { agent: "a" } as never),
    ],
    [
      "The event must be one of settled, fault, executed, failed, withheld, denied, invalid, not_found, aborted, unknown, released, received null.",
      () => runnerOf().on(null as never, (() => {}) as never),
    ],
    [
      "withTimeout(): 'timeoutMs' must be a positive number of milliseconds, or Infinity, received 0.",
      () => withTimeout(allowAll(), 0),
    ],
    [
      "Guardrail number 1 of the list: `name` must be a string that is not empty, received undefined.",
      () => runnerOf({ guardrails: [{ evaluate: () => allow() } as never] }),
    ],
    [
      "The guardrail 'g' has a member 'timeout', which core does not call. It goes under timeoutMs.",
      () => runnerOf({ guardrails: [{ ...guard("g"), timeout: 3 } as never] }),
    ],
    [
      "toolResult() has no option 'contnt'. Did you mean 'content'? It takes: content, structured, callId, name, isError, receipt, raw.",
      () => toolResult({ contnt: "x" } as never),
    ],
    [
      "runAll(): 'concurrency' must be a whole number of at least 1, or Infinity, received 0.",
      () => runnerOf().runAll([], { concurrency: 0 }),
    ],
    [
      "resume() has no option 'sginal'. Did you mean 'signal'? It takes: signal.",
      async () => runnerOf().resume("a1", { sginal: 1 } as never),
    ],
    [
      "forAgent(): the name must be a string that is not empty, received an empty string.",
      () => runnerOf().forAgent(""),
    ],
    [
      "close(): what it is given must be readable, and reading it threw.",
      async () => {
        const opened = await runnerOf().open({ name: "send" });
        if (opened.permit === undefined) throw new Error("the call was stopped");
        return opened.close({
          get value(): never {
            throw new Error("no");
          },
        });
      },
    ],
    [
      "The alias 'send' is also the name of a tool. Choose one that no tool has.",
      () => runnerOf({ aliases: { send: "send" } }),
    ],
    [
      "ToolRunner: 'receiptSigner' must be an object with a name and a sign() function, received object.",
      () => runnerOf({ receiptSigner: { name: 7 as never, sign: () => "" } }),
    ],
    [
      "ToolRunner: 'approver' must be an object with a name, ask(), recall() and consume(), received object.",
      () =>
        runnerOf({ approver: { ...approver(() => ({ decision: "denied" })), name: 7 as never } }),
    ],
    [
      "The approver has no unused approval with this id: it is pending, was refused, was used, has expired, or never existed. The approver's read(id) says which.",
      () => runnerOf({ approver: approver(() => ({ decision: "denied" })) }).resume("a1"),
    ],
    ["The tool 'send' is sealed. Call it through its runner.", () => Permit.enter({}, "send", {})],
    [
      "The tool 'send_mail' was given other arguments than were decided on.",
      () => Permit.enter(Permit.mint(callOf({ to: "ada" })), "send_mail", { to: "eve" }),
    ],
    [
      "The caller has aborted the call of the tool 'send_mail'.",
      () => {
        const call = callOf();
        Permit.enter(Permit.mint(call, AbortSignal.abort()), "send_mail", call.args);
      },
    ],
  ])("%s", async (message, act) => {
    expect(await messageOf(act)).toBe(message);
  });
});
