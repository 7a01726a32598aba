import fc from "fast-check";
import { describe, expect, inject, it } from "vitest";
import { guardExecutor } from "../src/host/executor.js";
import {
  allow,
  deny,
  type GuardrailProvider,
  type JsonObject,
  modify,
  type ResultGuardrail,
  rewrite,
  type Tool,
  type ToolContext,
  type ToolDefinition,
  type ToolOutcome,
  type ToolResult,
  ToolRunner,
  type ToolRunnerOptions,
} from "../src/index.js";
import { guardWorkbench, StaticWorkbench, type Workbench } from "../src/workbench/index.js";
import { ticks } from "./support/promises.js";
import { guard, spyObserver, spyTool } from "./support/runners.js";

/** What one way of calling made of a call. */
interface Seen {
  readonly outcome: Pick<ToolOutcome, "status" | "executed" | "modifiedBy" | "usedArgs"> & {
    readonly basis: unknown;
    readonly decidedBy: unknown;
    readonly code: unknown;
    readonly decisions: readonly unknown[];
    readonly content: unknown;
    readonly isError: boolean;
  };
  /** What each guard was asked, in order. */
  readonly asked: readonly unknown[];
  /** What the tool was given, each time it was. */
  readonly ran: readonly JsonObject[];
}

interface Guarded {
  readonly options: Omit<ToolRunnerOptions, "tools">;
  readonly act: (args: JsonObject) => unknown;
}
type Path = (guarded: Guarded, args: unknown, ran: JsonObject[]) => Promise<unknown>;

const name = "send";
const toolOf = ({ act }: Guarded, ran: JsonObject[]): Tool => {
  const { execute } = spyTool(name, act);
  return {
    name,
    execute: (args: JsonObject, context: ToolContext) => {
      ran.push(args);
      return execute?.(args, context);
    },
  };
};
const runnerOf = (guarded: Guarded, ran: JsonObject[]): ToolRunner =>
  new ToolRunner({ ...guarded.options, tools: [toolOf(guarded, ran)] });

async function drain(stream: AsyncGenerator<unknown, unknown>): Promise<void> {
  while ((await stream.next()).done !== true);
}

/** An unguarded workbench around one function. */
function innerBench(tool: Tool): Workbench {
  const callTool = async (
    _name: string,
    args: unknown,
    options: { callId?: string | undefined } = {},
  ): Promise<ToolResult> => {
    const answer = await (tool.execute as (args: unknown) => unknown)(args);
    const content = typeof answer === "string" ? answer : JSON.stringify(answer);
    return { callId: options.callId ?? "", name, isError: false, content };
  };
  const nothing = async (): Promise<void> => {};
  return {
    listTools: async (): Promise<ToolDefinition[]> => [{ name }],
    callTool,
    callToolStream: async function* (...call) {
      yield await callTool(...call);
    },
    start: nothing,
    stop: nothing,
    reset: nothing,
    saveState: async () => ({}),
    loadState: nothing,
    [Symbol.asyncDispose]: nothing,
  };
}

const callId = "c1";
const paths: Record<string, Path> = {
  run: (guarded, args, ran) => runnerOf(guarded, ran).run({ name, arguments: args, callId }),
  "run of an agent": (guarded, args, ran) => {
    const { guardrails } = guarded.options;
    const runner = new ToolRunner({
      ...guarded.options,
      guardrails: guardrails.slice(0, 1),
      tools: [toolOf(guarded, ran)],
    });
    return runner
      .forAgent("clerk", { guardrails: guardrails.slice(1) })
      .run({ name, arguments: args, callId });
  },
  runAll: (guarded, args, ran) =>
    runnerOf(guarded, ran).runAll([{ name, arguments: args, callId }]),
  "runAll beside others": (guarded, args, ran) =>
    runnerOf(guarded, ran).runAll([
      { name: "ghost", callId: "a" },
      { name, arguments: args, callId },
      { name, arguments: 5, callId: "b" },
    ]),
  stream: (guarded, args, ran) =>
    drain(runnerOf(guarded, ran).stream({ name, arguments: args, callId })),
  "open and close": async (guarded, args, ran) => {
    const opened = await runnerOf(guarded, ran).open({ name, arguments: args, callId });
    if (opened.outcome !== undefined) return;
    ran.push(opened.call.args);
    try {
      await opened.close({ value: await guarded.act(opened.call.args) });
    } catch (error) {
      await opened.close({ error });
    }
  },
  "a wrapped executor": (guarded, args, ran) => {
    const safe = guardExecutor<[], unknown>(
      (_name, given) => {
        ran.push(given);
        return guarded.act(given);
      },
      {
        ...guarded.options,
        tools: [{ name }],
        describe: () => ({ callId }),
        denied: () => undefined,
      },
    );
    return safe(name, args).catch(() => undefined);
  },
  "a static workbench": (guarded, args, ran) =>
    new StaticWorkbench([toolOf(guarded, ran)], guarded.options).callTool(name, args, { callId }),
  "a static workbench's stream": (guarded, args, ran) =>
    drain(
      new StaticWorkbench([toolOf(guarded, ran)], guarded.options).callToolStream(name, args, {
        callId,
      }),
    ),
  "a guarded workbench": (guarded, args, ran) =>
    guardWorkbench(innerBench(toolOf(guarded, ran)), guarded.options).callTool(name, args, {
      callId,
    }),
  "a guarded workbench's stream": (guarded, args, ran) =>
    drain(
      guardWorkbench(innerBench(toolOf(guarded, ran)), guarded.options).callToolStream(name, args, {
        callId,
      }),
    ),
};

/** One guard: what it says of calls and of results, and how long it takes. */
interface Rule {
  readonly pace: number;
  readonly call: "allow" | "deny" | "modify" | "throw" | "malformed" | "none";
  readonly admit: "allow" | "deny" | "throw" | "none";
  readonly result: "allow" | "deny" | "rewrite" | "throw" | "none";
}
const rules = fc.array(
  fc.record<Rule>({
    pace: fc.nat(2),
    call: fc.constantFrom(
      "allow",
      "allow",
      "allow",
      "deny",
      "modify",
      "throw",
      "malformed",
      "none",
    ),
    admit: fc.constantFrom("none", "allow", "allow", "deny", "throw"),
    result: fc.constantFrom("none", "none", "allow", "deny", "rewrite", "throw"),
  }),
  { maxLength: 3 },
);

function guardOf(rule: Rule, index: number, asked: unknown[]): GuardrailProvider | ResultGuardrail {
  const own = `g${index}`;
  /** Calls beside the one that is compared are not. */
  const note = (call: { readonly callId: string }, ...what: unknown[]): void => {
    if (call.callId === callId) asked.push([own, ...what]);
  };
  const paced = <T>(answer: () => T): T | Promise<T> =>
    rule.pace === 0 ? answer() : ticks(rule.pace).then(answer);
  const boom = (): never => {
    throw new Error("boom");
  };
  const evaluateResult: ResultGuardrail["evaluateResult"] = (call, { content }) => {
    note(call, "result", content);
    return paced(() => {
      if (rule.result === "throw") return boom();
      if (rule.result === "deny") return deny("not this result", { code: own });
      if (rule.result === "rewrite") return rewrite({ content: `rewritten by ${own}` });
      return allow();
    });
  };
  if (rule.call === "none") {
    return { name: own, evaluateResult: rule.result === "none" ? () => allow() : evaluateResult };
  }
  return guard(own, {
    evaluate: (call) => {
      const { args } = call;
      note(call, "call", call.toolName, args);
      return paced(() => {
        if (rule.call === "throw") return boom();
        if (rule.call === "malformed") return "yes" as never;
        if (rule.call === "deny") return deny("not this call", { code: own });
        if (rule.call === "modify") return modify({ ...args, [own]: true });
        return allow();
      });
    },
    ...(rule.admit !== "none" && {
      admit: (call) => {
        note(call, "admit", call.args);
        return paced(() => {
          if (rule.admit === "throw") return boom();
          return rule.admit === "deny" ? deny("not now", { code: own }) : allow();
        });
      },
    }),
    ...(rule.result !== "none" && { evaluateResult }),
    settle: (call, { status }) => note(call, "settle", status),
  });
}

async function seenOn(
  path: Path,
  chain: readonly Rule[],
  args: unknown,
  act: (args: JsonObject) => unknown,
): Promise<Seen> {
  const asked: unknown[] = [];
  const ran: JsonObject[] = [];
  const observer = spyObserver();
  const guardrails = chain.map((rule, index) => guardOf(rule, index, asked));
  await path({ options: { guardrails, observers: [observer] }, act }, args, ran);
  const records = observer.records.filter((record) => record.callId === callId);
  expect(records).toHaveLength(1);
  const outcome = records[0]?.outcome as ToolOutcome &
    Record<"basis" | "decidedBy" | "code", unknown>;
  const { status, executed, modifiedBy, usedArgs, basis, decidedBy, code, decisions, result } =
    outcome;
  const { content, isError } = result;
  return {
    asked,
    ran,
    outcome: {
      status,
      executed,
      modifiedBy,
      usedArgs,
      basis,
      decidedBy,
      code,
      decisions,
      content,
      isError,
    },
  };
}

describe("P11 the same guards give the same verdicts on every way of calling", () => {
  it("P11 each provider is asked the same, and the tool given the same", {
    tags: "longer",
  }, async () => {
    await fc.assert(
      fc.asyncProperty(
        rules,
        fc.constantFrom<unknown>({ to: "ada" }, '{"to":"ada"}', "[", undefined),
        fc.constantFrom("text", "throws", "later"),
        async (chain, args, way) => {
          const act = (given: JsonObject): unknown => {
            if (way === "throws") throw new Error("tool failed");
            return way === "text" ? `sent to ${String(given.to)}` : ticks(2).then(() => "later");
          };
          const expected = await seenOn(paths.run as Path, chain, args, act);
          // Each guard that counts was asked about what the tool was given.
          for (const given of expected.ran) expect(given).toEqual(expected.outcome.usedArgs);
          for (const [where, path] of Object.entries(paths)) {
            const seen = await seenOn(path, chain, args, act);
            expect([where, seen]).toEqual([where, expected]);
          }
        },
      ),
      { numRuns: inject("long") ? 60 : 10 },
    );
  });
});
