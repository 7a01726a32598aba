import fc from "fast-check";
import { describe, expect, inject, it } from "vitest";
import { allow, allowAll, type ToolOutcome, ToolRunner, ToolstileError } from "../src/index.js";
import { HandClock } from "./support/hand-clock.js";
import { idle, ticks } from "./support/promises.js";
import { guard, spyObserver, spyTool } from "./support/runners.js";

/** How many microtasks each step takes; 0 answers at once, without a promise. */
interface Pace {
  readonly evaluate: number;
  readonly admit: number;
  readonly intent: number;
  readonly tool: number;
  readonly evaluateResult: number;
  readonly settle: number;
  readonly record: number;
}
const paces = fc.record<Pace>({
  evaluate: fc.nat(3),
  admit: fc.nat(3),
  intent: fc.nat(3),
  tool: fc.nat(3),
  evaluateResult: fc.nat(3),
  settle: fc.nat(3),
  record: fc.nat(3),
});

type RunMode = "run" | "runAll" | "stream";

interface Happened {
  readonly log: readonly string[];
  readonly outcome: ToolOutcome;
  readonly rejected: boolean;
  /** What was told of the outcome, by whom. */
  readonly told: readonly ToolOutcome[];
}

/** Run one call and abort it after so many microtasks, or when a step says so. */
async function abortedAfter(
  pace: Pace,
  when: number | keyof Pace,
  way: RunMode,
): Promise<Happened> {
  const log: string[] = [];
  const told: ToolOutcome[] = [];
  const controller = new AbortController();
  const abort = (): void => {
    if (!controller.signal.aborted) log.push("abort");
    controller.abort(new Error("enough"));
  };
  const step = <T>(name: keyof Pace, value: T): T | Promise<T> => {
    log.push(name);
    if (when === name) abort();
    return pace[name] === 0 ? value : ticks(pace[name]).then(() => value);
  };
  const runner = new ToolRunner({
    tools: [spyTool("send", () => step("tool", "done"))],
    guardrails: [
      guard("g", {
        evaluate: () => step("evaluate", allow()),
        admit: () => step("admit", allow()),
        evaluateResult: () => step("evaluateResult", allow()),
        settle: (_call, outcome) => {
          told.push(outcome as ToolOutcome);
          return step("settle", undefined);
        },
      }),
    ],
    observers: [
      spyObserver({
        intent: () => step("intent", undefined),
        settle: ({ outcome }) => {
          if (outcome !== undefined) told.push(outcome as ToolOutcome);
          return step("record", undefined);
        },
      }),
    ],
    clock: new HandClock(),
  });
  const request = { name: "send", callId: "c1" };
  const options = { signal: controller.signal };
  const running =
    way === "run"
      ? runner.run(request, options)
      : way === "stream"
        ? readAll(runner.stream(request, options))
        : runner.runAll([request], options).then(([outcome]) => outcome as ToolOutcome);
  const ended = running.then(
    (outcome) => ({ outcome, rejected: false }),
    (error: unknown) => {
      expect(error).toBeInstanceOf(ToolstileError);
      const { code, outcomes, cause } = error as ToolstileError;
      expect(code).toBe("ERR_ABORTED");
      expect((cause as Error).message).toBe("enough");
      expect(outcomes).toHaveLength(1);
      log.push("rejected");
      return { outcome: outcomes[0] as ToolOutcome, rejected: true };
    },
  );
  if (typeof when === "number") {
    await ticks(when);
    abort();
  }
  const end = await ended;
  // What comes late changes nothing.
  const before = JSON.stringify([end, log]);
  await idle();
  expect(JSON.stringify([end, log])).toBe(before);
  return { ...end, log, told };
}

async function readAll(stream: AsyncGenerator<unknown, ToolOutcome>): Promise<ToolOutcome> {
  for (;;) {
    const step = await stream.next();
    if (step.done === true) return step.value;
  }
}

function check({ log, outcome, rejected, told }: Happened, way: RunMode): void {
  const at = (what: string): number => {
    const index = log.indexOf(what);
    return index < 0 ? Number.POSITIVE_INFINITY : index;
  };
  // Everyone is told exactly once, and of the same outcome.
  expect(log.filter((what) => what === "settle")).toHaveLength(1);
  expect(log.filter((what) => what === "record")).toHaveLength(1);
  expect(told.every((each) => each === outcome)).toBe(true);
  expect(log.filter((what) => what === "tool").length).toBeLessThanOrEqual(1);
  if (log.includes("rejected")) expect(at("rejected")).toBe(log.length - 1);
  const aborted = outcome.status === "aborted";
  expect(rejected).toBe(aborted && way !== "runAll");
  if (aborted) {
    expect(outcome.executed).toBe(log.includes("tool") ? "unknown" : false);
    expect(outcome.result).toMatchObject({ isError: true, content: "Tool call aborted." });
  } else {
    expect(outcome).toMatchObject({ status: "executed", value: "done" });
  }
  // Before it was settled how the call ended, an abort always counts.
  if (at("abort") < at("settle")) expect(aborted).toBe(true);
  // And after an abort nothing starts: no guard is asked, no tool is run.
  for (const what of ["evaluate", "admit", "intent", "tool", "evaluateResult"]) {
    if (log.includes(what)) expect([what, at(what) < at("abort")]).toEqual([what, true]);
  }
}

describe("P4 an abort", () => {
  it.each<RunMode>(["run", "runAll", "stream"])(
    "P4 at any microtask of %s is never an ALLOW, settles once, and starts nothing after it",
    { tags: "longer" },
    async (way) => {
      await fc.assert(
        fc.asyncProperty(paces, async (pace) => {
          for (let after = 0; after < 60; after++) {
            const happened = await abortedAfter(pace, after, way);
            check(happened, way);
            if (happened.outcome.status === "executed") return;
          }
          throw new Error("the call never ended");
        }),
        { numRuns: inject("long") ? 15 : 2 },
      );
    },
  );

  it.each<RunMode>(["run", "runAll", "stream"])(
    "P4 from inside any step of %s is never an ALLOW",
    async (way) => {
      await fc.assert(
        fc.asyncProperty(
          paces,
          fc.constantFrom<keyof Pace>("evaluate", "admit", "intent", "tool", "evaluateResult"),
          async (pace, from) => check(await abortedAfter(pace, from, way), way),
        ),
        { numRuns: 100 },
      );
    },
  );

  it("P4 before the call asks nobody and is still settled and recorded", async () => {
    const observer = spyObserver();
    let asked = 0;
    let settled = 0;
    const count = (): ReturnType<typeof allow> => {
      asked++;
      return allow();
    };
    const runner = new ToolRunner({
      tools: [spyTool()],
      guardrails: [
        guard("g", {
          evaluate: count,
          admit: count,
          settle: (call) => {
            settled++;
            expect(call.args).toBeUndefined();
            expect(call).toMatchObject({ callId: "c1", toolName: "send", requestedName: "send" });
          },
        }),
      ],
      observers: [observer],
    });
    const signal = AbortSignal.abort("gone");
    await expect(runner.run({ name: "send", callId: "c1" }, { signal })).rejects.toMatchObject({
      code: "ERR_ABORTED",
      cause: "gone",
      outcomes: [{ status: "aborted", executed: false }],
    });
    expect([asked, settled, observer.announced.length, observer.records.length]).toEqual([
      0, 1, 0, 1,
    ]);
    const opened = await runner.open({ name: "send", callId: "c1" }, { signal });
    expect(opened.outcome).toMatchObject({ status: "aborted", executed: false });
  });

  it("P4 before the call rejects also where its arguments cannot be read, and does not read them", async () => {
    const read: string[] = [];
    const runner = new ToolRunner({ tools: [spyTool()], guardrails: [allowAll()] });
    const request = {
      name: "send",
      get arguments() {
        read.push("arguments");
        return "{";
      },
    };
    const signal = AbortSignal.abort();
    await expect(runner.run(request, { signal })).rejects.toMatchObject({
      code: "ERR_ABORTED",
      outcomes: [{ status: "aborted", executed: false }],
    });
    expect(read).toEqual([]);
  });

  it("P4 of one turn leaves what was done before it, and never rejects", async () => {
    const controller = new AbortController();
    const runner = new ToolRunner({
      tools: [
        spyTool("send", async ({ n }) => {
          await ticks(4);
          if (n === 1) controller.abort();
          return n;
        }),
      ],
      guardrails: [guard("g")],
    });
    const requests = [0, 1, 2, 3].map((n) => ({ name: "send", arguments: { n }, callId: `c${n}` }));
    const outcomes = await runner.runAll(requests, { signal: controller.signal, concurrency: 1 });
    expect(outcomes.map(({ status, executed }) => [status, executed])).toEqual([
      ["executed", true],
      ["aborted", "unknown"],
      ["aborted", false],
      ["aborted", false],
    ]);
  });

  it.each<[string, () => unknown]>([
    ["hangs", () => new Promise(() => {})],
    ["answers later", () => ticks(5)],
    [
      "streams and hangs",
      () => ({ [Symbol.asyncIterator]: () => ({ next: () => new Promise(() => {}) }) }),
    ],
  ])("P4 by the tool itself, which then %s, is waited for no longer", async (_what, act) => {
    for (const judges of [[], [{ name: "judge", evaluateResult: () => allow() }]]) {
      const controller = new AbortController();
      const runner = new ToolRunner({
        tools: [
          spyTool("send", () => {
            controller.abort();
            return act();
          }),
        ],
        guardrails: [guard("g"), ...judges],
      });
      const options = { signal: controller.signal };
      const expected = { code: "ERR_ABORTED", outcomes: [{ executed: "unknown" }] };
      await expect(runner.run({ name: "send" }, options)).rejects.toMatchObject(expected);
    }
  });

  it("P4 gives back what admit took", async () => {
    const controller = new AbortController();
    let taken = 0;
    const limit = guard("limit", {
      admit: () => {
        taken++;
        return allow();
      },
      settle: (_call, { executed }) => {
        if (executed === false) taken--;
      },
    });
    const runner = new ToolRunner({
      tools: [spyTool()],
      guardrails: [limit],
      observers: [spyObserver({ intent: () => controller.abort() })],
    });
    await expect(runner.run({ name: "send" }, { signal: controller.signal })).rejects.toMatchObject(
      { code: "ERR_ABORTED" },
    );
    expect(taken).toBe(0);
  });

  it("P4 keeps its rejection when a required observer fails as well", async () => {
    const controller = new AbortController();
    const runner = new ToolRunner({
      tools: [spyTool("send", () => controller.abort())],
      guardrails: [guard("g")],
      observers: [
        spyObserver({
          required: true,
          settle: () => {
            throw new Error("disk full");
          },
        }),
      ],
    });
    await expect(runner.run({ name: "send" }, { signal: controller.signal })).rejects.toMatchObject(
      { code: "ERR_ABORTED", outcomes: [{ status: "aborted" }] },
    );
  });

  it("P4 leaves no listener on a signal that outlives the calls", async () => {
    const { signal, listening } = countingSignal();
    const clock = new HandClock();
    const runner = new ToolRunner({
      tools: [
        spyTool("plain"),
        spyTool("slow", () => ticks(3)),
        spyTool("reads", (_args, context) => context.signal.aborted),
        spyTool("fails", async () => {
          throw new Error("no");
        }),
        spyTool("streams", async function* () {
          yield 1;
          yield 2;
        }),
        spyTool("hangs", () => new Promise(() => {}), { timeoutMs: 5 }),
      ],
      guardrails: [
        guard("reads", { evaluate: (call) => (call.signal.aborted ? allow() : allow()) }),
        guard("slow", {
          evaluate: async () => {
            await ticks(2);
            return allow();
          },
        }),
        guard("judges", { evaluateResult: async () => allow() }),
      ],
      clock,
    });
    for (const name of ["plain", "slow", "reads", "fails", "streams", "ghost"]) {
      await runner.run({ name }, { signal });
      await readAll(runner.stream({ name }, { signal }));
      await runner.runAll([{ name }, { name }], { signal });
      const opened = await runner.open({ name }, { signal });
      if (opened.outcome === undefined) await opened.close({ released: true });
    }
    const hanging = runner.run({ name: "hangs" }, { signal });
    await idle();
    clock.pass(5);
    expect((await hanging).status).toBe("unknown");
    const stream = runner.stream({ name: "streams" }, { signal });
    await stream.next();
    await stream.return(undefined as never);
    expect(listening()).toBe(0);
    expect(clock.waiting).toBe(0);
  });

  it("P4 leaves no listener behind when a signal is first read after its call is over", async () => {
    const { signal, listening } = countingSignal();
    const tool = spyTool();
    const runner = new ToolRunner({ tools: [tool], guardrails: [guard("g")] });
    await runner.run({ name: "send" }, { signal });
    expect(tool.contexts[0]?.signal).toBeInstanceOf(AbortSignal);
    expect(listening()).toBe(0);
  });
});

/** A signal that knows how many listen to it. */
function countingSignal(): { readonly signal: AbortSignal; readonly listening: () => number } {
  const { signal } = new AbortController();
  const listeners = new Set<unknown>();
  const add = signal.addEventListener.bind(signal);
  const remove = signal.removeEventListener.bind(signal);
  signal.addEventListener = (type: string, listener: never, options?: never) => {
    listeners.add(listener);
    add(type, listener, options);
  };
  signal.removeEventListener = (type: string, listener: never, options?: never) => {
    listeners.delete(listener);
    remove(type, listener, options);
  };
  return { signal, listening: () => listeners.size };
}
