import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { allow, allowAll, type ToolContext, ToolRunner } from "../src/index.js";
import { endingWithResult } from "../src/runner/stream.js";
import { HandClock } from "./support/hand-clock.js";
import { deferred, idle, ticks } from "./support/promises.js";
import { guard, spyObserver, spyTool } from "./support/runners.js";
import { request, runnerOf, words } from "./support/streams.js";

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

  it.each(["an item", "the result"])("P4 while a guard judges %s is given none", async (judged) => {
    const hold = deferred();
    const settled: string[] = [];
    const told: boolean[] = [];
    const judge = guard("g", {
      evaluateResult: async ({ signal }, { content }) => {
        const isItem = content === "one";
        if (isItem !== (judged === "an item")) return allow();
        signal.addEventListener("abort", () => told.push(true));
        await hold.promise;
        return allow();
      },
      settle: (_call, { status }) => void settled.push(status),
    });
    const tool = spyTool("send", async function* () {
      yield "one";
      return "all";
    });
    const runner = new ToolRunner({ tools: [tool], guardrails: [judge] });
    const stream = runner.stream(request);
    const pending = stream.next();
    await idle();
    const leaving = stream.return(undefined as never);
    hold.resolve();
    await leaving;
    expect(await pending).toMatchObject({
      done: true,
      value: { status: "aborted", executed: "unknown" },
    });
    expect([settled, told]).toEqual([["aborted"], [true]]);
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

it.each(["return", "throw"] as const)(
  "a stream that ends with its result is left by %s only when its items are",
  async (how) => {
    let isLeft = false;
    const items: AsyncGenerator<unknown, never> = {
      next: async () => ({ done: false, value: 1 }),
      return: async (value) => {
        await idle();
        isLeft = true;
        return { done: true, value: await (value as never) };
      },
      throw: (error) => Promise.reject(error),
      [Symbol.asyncIterator]: () => items,
      [Symbol.asyncDispose]: async () => {},
    };
    const stream = endingWithResult(items);
    await stream.next();
    const left = how === "return" ? stream.return() : stream.throw(new Error("enough"));
    if (how === "return") expect(await left).toEqual({ done: true, value: undefined });
    else await expect(left).rejects.toThrow("enough");
    expect(isLeft).toBe(true);
  },
);

describe("a reader of a stream that throws into it", () => {
  it("P4 gets its error back once the call has settled", async () => {
    const settling = deferred<void>();
    const runner = new ToolRunner({
      tools: [spyTool("send", words)],
      guardrails: [guard("g", { settle: () => settling.promise })],
    });
    const stream = runner.stream(request);
    await stream.next();
    const reason = new Error("of the reader");
    let settled = false;
    const thrown = stream.throw(reason).catch((error: unknown) => {
      settled = true;
      return error;
    });
    await idle();
    expect(settled).toBe(false);
    settling.resolve();
    expect(await thrown).toBe(reason);
    expect(await stream.next()).toMatchObject({ done: true });
  });

  it("P4 gets its error back where nothing was read yet", async () => {
    const reason = new Error("of the reader");
    await expect(runnerOf(words).stream(request).throw(reason)).rejects.toBe(reason);
  });
});
