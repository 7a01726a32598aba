import { describe, expect, it } from "vitest";
import { allow, allowAll, deny, rewrite, ToolRunner } from "../src/index.js";
import { HandClock } from "./support/hand-clock.js";
import { deferred, idle, ticks } from "./support/promises.js";
import { everythingIn, spyObserver, spyTool } from "./support/runners.js";
import { read, request, runnerOf, words } from "./support/streams.js";

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
    // Each piece, all of the text as one, and the result, which is the last piece.
    expect(seen).toEqual(["one", "two", "three", "onetwothree", "three"]);
    const [pieces, outcome] = await read(stream);
    expect(pieces).toEqual(["two", "three"]);
    expect(outcome).toMatchObject({ status: "executed", value: "three" });
  });

  it("P6 gives nothing as nothing, judged or not", async () => {
    const nothing = async function* () {
      yield null;
      return null;
    };
    for (const judges of [[], [{ name: "judge", evaluateResult: () => allow() }]]) {
      const [pieces, outcome] = await read(runnerOf(nothing, judges).stream(request));
      expect(pieces).toEqual([null]);
      expect(outcome).toMatchObject({ status: "executed", value: null });
    }
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

  it("asks no judge about the whole when a piece was withheld", async () => {
    const seen: unknown[] = [];
    const runner = runnerOf(words, [
      {
        name: "judge",
        evaluateResult: (_call, { content }) => {
          seen.push(content);
          return content === "two" ? deny("no") : allow();
        },
      },
    ]);
    expect((await read(runner.stream(request)))[1]).toMatchObject({ status: "withheld" });
    expect(seen).toEqual(["one", "two"]);
  });

  it.each([1, 2, 3, 4, 5, 6])(
    "is failed by a piece whose `then` throws when it is read for time %i, and only then",
    async (nth) => {
      let reads = 0;
      const piece = Object.defineProperty({}, "then", {
        get: () => {
          if (++reads === nth) throw new Error("read");
        },
      });
      const steps = [{ value: piece }, { done: true, value: "end" }];
      const iterator = { next: () => steps.shift() };
      const runner = runnerOf(() => ({ [Symbol.asyncIterator]: () => iterator }));
      const [, outcome] = await read(runner.stream(request));
      expect(outcome.status).toBe(reads < nth ? "executed" : "failed");
    },
  );

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
