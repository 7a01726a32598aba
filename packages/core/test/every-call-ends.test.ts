import { types } from "node:util";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, inject, it } from "vitest";
import {
  allow,
  allowAll,
  type CallRecord,
  deny,
  failOpen,
  type GuardrailProvider,
  modify,
  parallel,
  type ResultDecision,
  rewrite,
  shadow,
  type ToolOutcome,
  ToolRunner,
  type ToolRunnerOptions,
  toolResult,
} from "../src/index.js";
import { oddValues, strict, tiredThenable, tiredValue } from "./support/odd-values.js";
import { idle } from "./support/promises.js";

const unhandled: unknown[] = [];
const note = (reason: unknown): void => {
  // Some of them nobody can look at, not even to show them.
  unhandled.push(types.isProxy(reason) ? "a proxy" : reason);
};
beforeEach(() => {
  process.on("unhandledRejection", note);
});
afterEach(async () => {
  await idle();
  process.off("unhandledRejection", note);
  expect(unhandled.splice(0)).toEqual([]);
});

type Say = () => never;
interface Seam {
  readonly execute?: () => unknown;
  readonly guards?: readonly GuardrailProvider[];
  readonly options?: Partial<ToolRunnerOptions>;
}

const pieces = (next: () => unknown) => ({
  [Symbol.asyncIterator]: () => {
    let given = 0;
    return { next: () => (given++ === 0 ? next() : { done: true, value: "done" }) as never };
  },
});
const guard = (name: string, members: object): GuardrailProvider => ({
  evaluate: () => allow(),
  ...members,
  name,
});
const askedFor = guard("g", { evaluate: () => deny("x", { approval: { summary: "x" } }) });
const approver = (ask: Say, consume: Say): Partial<ToolRunnerOptions> => ({
  approver: { name: "a", ask, consume, recall: async () => undefined },
});
const approved = (): never => ({ decision: "approved", approvalId: "1" }) as never;

/** Where a value can be said; `say` gives it, or throws it. */
const seams: Readonly<Record<string, (say: Say) => Seam>> = {
  "a tool's answer": (say) => ({ execute: say }),
  "a tool's promise": (say) => ({ execute: async () => say() }),
  "a tool's content": (say) => ({ execute: () => toolResult({ content: say() }) }),
  "a tool's structured half": (say) => ({
    execute: () => toolResult({ content: "", structured: say() }),
  }),
  "a tool's raw half": (say) => ({ execute: () => toolResult({ content: "", raw: say() }) }),
  "a tool's piece": (say) => ({ execute: () => pieces(() => ({ done: false, value: say() })) }),
  "a tool's step": (say) => ({ execute: () => pieces(say) }),
  "a tool's end": (say) => ({ execute: () => pieces(() => ({ done: true, value: say() })) }),
  "a tool's iterator": (say) => ({ execute: () => ({ [Symbol.asyncIterator]: say }) }),
  "a decision": (say) => ({ guards: [guard("g", { evaluate: say })] }),
  "modified arguments": (say) => ({ guards: [guard("g", { evaluate: () => modify(say()) })] }),
  metadata: (say) => ({ guards: [guard("g", { evaluate: () => allow({ metadata: say() }) })] }),
  "a reason": (say) => ({ guards: [guard("g", { evaluate: () => deny(say()) })] }),
  "a replacement": (say) => ({
    guards: [guard("g", { evaluateResult: () => deny("x", { replacement: say() }) })],
  }),
  "an admission": (say) => ({ guards: [guard("g", { admit: say })] }),
  "a checked": (say) => ({ guards: [guard("g", { evaluateResult: say })] }),
  "a rewritten result": (say) => ({
    guards: [guard("g", { evaluateResult: (): ResultDecision => rewrite({ content: say() }) })],
  }),
  "the end of a guard": (say) => ({ guards: [guard("g", { settle: say })] }),
  "guards at once": (say) => ({
    guards: [parallel([guard("g", { evaluate: say, evaluateResult: say, settle: say })])],
  }),
  "a shadowed guard": (say) => ({
    guards: [shadow(guard("g", { evaluate: say, evaluateResult: say, settle: say }))],
  }),
  "a guard that fails open": (say) => ({
    guards: [failOpen(guard("g", { evaluate: say, evaluateResult: say, settle: say }))],
  }),
  "what an observer is announced": (say) => ({
    options: { observers: [{ name: "x", intent: say, settle: () => {} }] },
  }),
  "what an observer is told": (say) => ({ options: { observers: [{ name: "x", settle: say }] } }),
  "what one is told that must record": (say) => ({
    options: { observers: [{ name: "x", required: true, intent: say, settle: say }] },
  }),
  "a receipt": (say) => ({ options: { receiptSigner: { name: "s", sign: say } } }),
  "what becomes of a fault": (say) => ({
    guards: [guard("g", { settle: () => Promise.reject(new Error("x")) })],
    options: { onFault: say },
  }),
  "an approver's answer": (say) => ({ guards: [askedFor], options: approver(say, say) }),
  "an approval that is used": (say) => ({ guards: [askedFor], options: approver(approved, say) }),
};

/** What was put where nobody looks for a promise may reject: what is made of it must not. */
function seenTo(value: unknown): void {
  if (!types.isPromise(value)) return;
  if (!Object.hasOwn(value, "constructor")) Promise.prototype.then.call(value, undefined, () => {});
}

type How = "run" | "stream" | "open";

async function outcomeOf(runner: ToolRunner, how: How, name: string): Promise<ToolOutcome> {
  const request = { name, callId: "c", arguments: "{}" };
  if (how === "run") return runner.run(request);
  if (how === "stream") {
    const reader = runner.stream(request);
    for (;;) {
      const step = await reader.next();
      if (step.done === true) return step.value;
    }
  }
  const opened = await runner.open(request);
  return opened.outcome ?? opened.close({ value: "done" });
}

describe("a call", () => {
  it("P15 ends in one outcome, is told to all once, and leaves its id free and the runner closable, whatever anybody says", {
    tags: "longer",
  }, async () => {
    const settled: string[] = [];
    const records: CallRecord[] = [];
    const cases = fc.record({
      seam: fc.constantFrom(...Object.keys(seams)),
      odd: fc.constantFrom(...oddValues),
      throws: fc.boolean(),
      judged: fc.boolean(),
      how: fc.constantFrom<How>("run", "stream", "open"),
    });
    await fc.assert(
      fc.asyncProperty(cases, async ({ seam, odd: [, make], throws, judged, how }) => {
        settled.length = 0;
        records.length = 0;
        const say = (): never => {
          const value = make();
          seenTo(value);
          if (throws) throw value;
          return value as never;
        };
        const { execute = () => "done", guards = [], options = {} } = seams[seam]?.(say) ?? {};
        const first = guard("first", {
          settle: (_: unknown, { status }: ToolOutcome) => void settled.push(status),
          ...(judged && { evaluateResult: () => allow() }),
        });
        const observer = { name: "o", settle: (record: CallRecord) => void records.push(record) };
        const runner = new ToolRunner({
          ...options,
          unchecked: true,
          tools: [{ name: "read", execute }],
          guardrails: [allowAll(), first, ...guards],
          observers: [observer, ...(options.observers ?? [])],
        });
        const outcome = await outcomeOf(runner, how, "read");
        expect(settled.length).toBe(1);
        expect(records.map(({ outcome }) => outcome?.status)).toEqual(settled);
        expect(Object.isFrozen(outcome.result)).toBe(true);
        expect((await runner.run({ name: "none", callId: "c" })).status).toBeOneOf([
          "not_found",
          "denied",
        ]);
        expect(records.at(-1)?.outcome).not.toMatchObject({ code: "duplicate_call_id" });
        await runner.close();
      }),
      { numRuns: inject("long") ? 1_500 : 100 },
    );
  });

  it.each<[string, () => unknown]>([
    ["a tool's promise brings what throws when it is looked at", async () => strict()],
    ["a tool's promise throws when it is asked for its then again", () => tiredThenable(2)],
  ])("P15 has failed, on record and with its id free, where %s", async (_, execute) => {
    const records: CallRecord[] = [];
    const runner = new ToolRunner({
      tools: [{ name: "read", execute }],
      guardrails: [allowAll()],
      observers: [{ name: "o", settle: (record) => void records.push(record) }],
    });
    for (const count of [1, 2]) {
      expect((await runner.run({ name: "read", callId: "c" })).status).toBe("failed");
      expect(records.length).toBe(count);
    }
    await runner.close();
  });

  it("P15 has failed where a piece of a stream cannot be handed on", async () => {
    const execute = () => pieces(() => ({ done: false, value: tiredValue(2) }));
    const runner = new ToolRunner({ tools: [{ name: "read", execute }], guardrails: [allowAll()] });
    expect((await outcomeOf(runner, "stream", "read")).status).toBe("failed");
    await runner.close();
  });
});
