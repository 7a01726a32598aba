import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  allow,
  allowAll,
  deny,
  type ResultGuardrail,
  rewrite,
  type ToolContext,
  type ToolOutcome,
  ToolRunner,
} from "../src/index.js";
import { HandClock } from "./support/hand-clock.js";
import {
  deferred,
  everythingIn,
  guard,
  idle,
  spyObserver,
  spyTool,
  ticks,
} from "./support/runners.js";

const request = { name: "send", callId: "c1" };

async function read(
  stream: AsyncGenerator<unknown, ToolOutcome>,
): Promise<[unknown[], ToolOutcome]> {
  const pieces: unknown[] = [];
  for (;;) {
    const step = await stream.next();
    if (step.done === true) return [pieces, step.value];
    pieces.push(step.value);
  }
}

function runnerOf(
  act: () => unknown,
  judges: readonly ResultGuardrail[] = [],
  more: object = {},
): ToolRunner {
  return new ToolRunner({
    tools: [spyTool("send", act, more)],
    guardrails: [allowAll(), ...judges],
  });
}

const words = async function* (): AsyncGenerator<string> {
  yield "one";
  yield "two";
  yield "three";
};

describe("a stream", () => {
  it("gives the pieces as they come while nobody judges results", async () => {
    const holds = [deferred(), deferred()];
    const stream = runnerOf(async function* () {
      yield "one";
      await holds[0]?.promise;
      yield "two";
      await holds[1]?.promise;
      return "end";
    }).stream(request);
    expect(await stream.next()).toEqual({ done: false, value: "one" });
    holds[0]?.resolve();
    expect(await stream.next()).toEqual({ done: false, value: "two" });
    holds[1]?.resolve();
    expect(await stream.next()).toMatchObject({
      done: true,
      value: { status: "executed", value: "end" },
    });
  });

  it("P6 holds the pieces until each, and the whole, was judged", async () => {
    const seen: unknown[] = [];
    let finished = false;
    const runner = runnerOf(
      async function* () {
        yield* words();
        finished = true;
      },
      [
        {
          name: "judge",
          evaluateResult: (_call, { content }) => {
            seen.push(content);
            return allow();
          },
        },
      ],
    );
    const stream = runner.stream(request);
    expect((await stream.next()).value).toBe("one");
    expect(finished).toBe(true);
    expect(seen).toEqual(["one", "two", "three", "three"]);
    const [pieces, outcome] = await read(stream);
    expect(pieces).toEqual(["two", "three"]);
    expect(outcome).toMatchObject({ status: "executed", value: "three" });
  });

  it("P6 gives of a piece what the last judge saw", async () => {
    const piece = { n: 1 };
    const runner = runnerOf(
      async function* () {
        yield piece;
        yield { n: 2 };
      },
      [
        {
          name: "adds",
          evaluateResult: async (_call, { structured }) => {
            piece.n = 99;
            return rewrite({
              content: "x",
              structured: { ...(structured as object), judged: true },
            });
          },
        },
      ],
    );
    expect((await read(runner.stream(request)))[0]).toEqual([
      { n: 1, judged: true },
      { n: 2, judged: true },
    ]);
  });

  it.each([0, 1, 2])("leaks nothing when piece %i is withheld", async (bad) => {
    const runner = runnerOf(words, [
      {
        name: "judge",
        evaluateResult: (_call, { content }) =>
          content === ["one", "two", "three"][bad] ? deny("no", { code: "pii" }) : allow(),
      },
    ]);
    const [pieces, outcome] = await read(runner.stream(request));
    expect(pieces).toEqual([]);
    expect(outcome).toMatchObject({
      status: "withheld",
      executed: true,
      decidedBy: "judge",
      code: "pii",
    });
    expect(everythingIn(outcome)).not.toMatch(/one|two|three/);
  });

  it("leaks nothing when only the whole is withheld, or a judge fails", async () => {
    const act = async function* () {
      yield "one";
      return "whole";
    };
    for (const judge of [
      (content: unknown) => (content === "whole" ? deny("no") : allow()),
      (content: unknown) => {
        if (content === "whole") throw new Error("x");
        return allow();
      },
      (content: unknown) => (content === "one" ? Promise.reject(new Error("x")) : allow()),
    ]) {
      const [pieces, outcome] = await read(
        runnerOf(act, [
          { name: "judge", evaluateResult: (_call, { content }) => judge(content) },
        ]).stream(request),
      );
      expect([pieces, outcome.status]).toEqual([[], "withheld"]);
    }
  });

  it("fails, and gives nothing that was not judged, when a piece is no JSON", async () => {
    const [pieces, outcome] = await read(
      runnerOf(
        async function* () {
          yield "one";
          yield 1n;
          yield "three";
        },
        [{ name: "judge", evaluateResult: () => allow() }],
      ).stream(request),
    );
    expect(pieces).toEqual([]);
    expect(outcome).toMatchObject({ status: "failed", executed: true });
  });

  it("fails when the tool throws midway, after the pieces there were", async () => {
    const act = async function* () {
      yield "one";
      throw new Error("midway");
    };
    for (const judges of [[], [{ name: "judge", evaluateResult: () => allow() }]]) {
      const [pieces, outcome] = await read(runnerOf(act, judges).stream(request));
      expect(pieces).toEqual(["one"]);
      expect(outcome).toMatchObject({
        status: "failed",
        result: { isError: true, content: "midway" },
      });
    }
  });

  it("of a tool that does not stream has no pieces, but its outcome", async () => {
    for (const act of [() => "done", async () => "done"]) {
      expect(await read(runnerOf(act).stream(request))).toMatchObject([
        [],
        { status: "executed", value: "done" },
      ]);
    }
    expect(await read(new ToolRunner({ guardrails: [] }).stream(request))).toMatchObject([
      [],
      { status: "denied", basis: "no_provider" },
    ]);
    expect(await read(new ToolRunner({ guardrails: [allowAll()] }).stream(request))).toMatchObject([
      [],
      { status: "not_found" },
    ]);
  });

  it("asks for nothing before it is read, and takes no id", async () => {
    const runner = runnerOf(words);
    const stream = runner.stream(request);
    await idle();
    expect((await runner.run(request)).status).toBe("executed");
    await stream.return(undefined as never);
    expect((await stream.next()).done).toBe(true);
    await runner.close();
  });

  it("passes the deadline as unknown, and gives no more pieces", async () => {
    const clock = new HandClock();
    const tool = spyTool(
      "send",
      async function* () {
        yield "one";
        await new Promise(() => {});
      },
      { timeoutMs: 5 },
    );
    const runner = new ToolRunner({ tools: [tool], guardrails: [allowAll()], clock });
    const stream = runner.stream(request);
    expect((await stream.next()).value).toBe("one");
    const next = stream.next();
    await idle();
    clock.pass(5);
    expect(await next).toMatchObject({
      done: true,
      value: { status: "unknown", executed: "unknown" },
    });
    expect(clock.waiting).toBe(0);
  });

  it("P4 an abort while pieces are judged is an abort, whatever the judge then says", async () => {
    for (const answer of [allow(), deny("no")]) {
      const controller = new AbortController();
      const observer = spyObserver();
      const runner = new ToolRunner({
        tools: [spyTool("send", words)],
        guardrails: [
          allowAll(),
          {
            name: "judge",
            evaluateResult: async () => {
              controller.abort();
              await ticks(2);
              return answer;
            },
          },
        ],
        observers: [observer],
      });
      await expect(
        read(runner.stream(request, { signal: controller.signal })),
      ).rejects.toMatchObject({
        code: "ERR_ABORTED",
        outcomes: [{ status: "aborted", executed: "unknown" }],
      });
      expect(observer.records).toHaveLength(1);
    }
  });
});

describe("a reader who leaves", () => {
  /** A tool whose every demand is counted, and which is told when nobody wants more. */
  function countingTool(pace: number, length = 4) {
    const log: string[] = [];
    const iterable: AsyncIterable<number> = {
      [Symbol.asyncIterator]: () => {
        let n = 0;
        return {
          next: async () => {
            log.push("next");
            await ticks(pace);
            return n < length ? { done: false, value: n++ } : { done: true, value: undefined };
          },
          return: async () => {
            log.push("return");
            return { done: true, value: undefined };
          },
        };
      },
    };
    return { log, iterable };
  }

  it("P4 at any point ends the tool, which is told once and asked for nothing more, and the call settles once", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.nat(3),
        fc.nat(6),
        fc.nat(6),
        fc.boolean(),
        fc.boolean(),
        fc.constantFrom("return", "throw", "dispose"),
        async (pace, reads, wait, pending, judged, how) => {
          const { log, iterable } = countingTool(pace);
          const observer = spyObserver();
          const settled: string[] = [];
          const runner = new ToolRunner({
            tools: [spyTool("send", () => iterable)],
            guardrails: [
              guard("g", {
                settle: (_call, { status }) => void settled.push(status),
                ...(judged && {
                  evaluateResult: async () => {
                    await ticks(1);
                    return allow();
                  },
                }),
              }),
            ],
            observers: [observer],
          });
          const stream = runner.stream(request);
          let over = false;
          for (let index = 0; index < reads && !over; index++)
            over = (await stream.next()).done === true;
          // Perhaps a piece is on its way when the reader leaves.
          const underWay = pending && !over ? stream.next() : undefined;
          await ticks(wait);
          const before = log.length;
          if (how === "return") await stream.return(undefined as never);
          else if (how === "throw")
            await expect(stream.throw(new Error("bye"))).rejects.toThrow("bye");
          else await stream[Symbol.asyncDispose]();
          await underWay;
          await idle();
          expect((await stream.next()).done).toBe(true);
          const began = reads > 0 || pending;
          expect(settled).toHaveLength(began ? 1 : 0);
          expect(observer.records).toHaveLength(began ? 1 : 0);
          const asked = log.slice(before);
          // Nothing more is asked of the tool, and it is told unless it had come to its end.
          if (!(pending && wait === 0)) expect(asked.filter((what) => what === "next")).toEqual([]);
          expect(log.filter((what) => what === "return").length).toBeLessThanOrEqual(1);
          const demands = log.filter((what) => what === "next").length;
          // The fifth demand finds the tool at its end, and there is nobody to tell.
          if (settled[0] === "aborted" && demands > 0 && demands < 5) {
            expect(log.at(-1)).toBe("return");
          }
          if (log.includes("return")) expect(settled).toEqual(["aborted"]);
          // And the id is free again.
          expect((await runner.run(request)).status).toBe("executed");
          await runner.close();
        },
      ),
      { numRuns: 150 },
    );
  });

  it("P4 does not wait for a tool that hangs, and tells it by its signal too", async () => {
    let aborted = false;
    const runner = runnerOf(() => "never");
    const tool = spyTool("hang", async function* (_args, { signal }: ToolContext) {
      signal.addEventListener("abort", () => {
        aborted = true;
      });
      yield "one";
      await new Promise(() => {});
    });
    runner.setTools([tool]);
    const stream = runner.stream({ name: "hang" });
    await stream.next();
    const pending = stream.next();
    await idle();
    expect(await stream.return(undefined as never)).toMatchObject({ done: true });
    expect(await pending).toMatchObject({
      done: true,
      value: { status: "aborted", executed: "unknown" },
    });
    expect(aborted).toBe(true);
  });

  it("leaves an end that was there before as it was", async () => {
    const clock = new HandClock();
    const hang = (): Promise<void> => new Promise(() => {});
    const runner = new ToolRunner({
      tools: [spyTool("send", hang, { timeoutMs: 5 })],
      guardrails: [allowAll()],
      clock,
    });
    const stream = runner.stream(request);
    const pending = stream.next();
    await idle();
    clock.pass(5);
    await stream.return(undefined as never);
    expect(await pending).toMatchObject({ done: true, value: { status: "unknown" } });
  });

  it("P4 while the guards still decide never has the tool run", async () => {
    const hold = deferred();
    const tool = spyTool("send", words);
    const runner = new ToolRunner({
      tools: [tool],
      guardrails: [
        guard("g", {
          evaluate: async () => {
            await hold.promise;
            return allow();
          },
        }),
      ],
    });
    const stream = runner.stream(request);
    const pending = stream.next();
    await idle();
    const leaving = stream.return(undefined as never);
    hold.resolve();
    await leaving;
    expect(await pending).toMatchObject({
      done: true,
      value: { status: "aborted", executed: false },
    });
    expect(tool.runs).toEqual([]);
  });

  it("leaves no rejection behind when the tool fails as it is told", async () => {
    const unhandled: unknown[] = [];
    const listen = (error: unknown): void => void unhandled.push(error);
    process.on("unhandledRejection", listen);
    try {
      for (const ending of [
        async () => {
          throw new Error("x");
        },
        () => {
          throw new Error("x");
        },
      ]) {
        const runner = runnerOf(() => ({
          [Symbol.asyncIterator]: () => ({
            next: async () => ({ done: false, value: 1 }),
            return: ending,
          }),
        }));
        const stream = runner.stream(request);
        await stream.next();
        await stream.return(undefined as never);
      }
      await idle();
      await idle();
      expect(unhandled).toEqual([]);
    } finally {
      process.off("unhandledRejection", listen);
    }
  });
});
