import { describe, expect, it } from "vitest";
import {
  allow,
  allowAll,
  chain,
  deny,
  failOpen,
  forTools,
  type Guardrail,
  type GuardrailProvider,
  parallel,
  type ResultGuardrail,
  shadow,
  type ToolResult,
  ToolRunner,
} from "../src/index.js";
import { StaticWorkbench } from "../src/workbench/index.js";
import { deferred } from "./support/promises.js";
import { spyObserver, spyTool } from "./support/runners.js";
import { read } from "./support/streams.js";

const guardrails = [allowAll()];

/** A judge of the whole only, which notes what it is shown. */
function wholeJudge(
  name = "whole",
  judges: (tool: { readonly name: string }) => boolean = () => false,
) {
  const seen: unknown[] = [];
  const guard: ResultGuardrail = {
    name,
    evaluateResult: (_call, { structured }) => {
      seen.push(structured);
      return (structured as { total?: number }).total === undefined ? deny("no total") : allow();
    },
    judgesPieces: judges,
  };
  return { guard, seen };
}

/** A tool that tells its progress, waits until it may go on, and returns its result. */
function countTool(hold: Promise<unknown>, result: object | undefined = { total: 2 }) {
  const execute = async function* () {
    yield { current: 1 };
    await hold;
    yield { current: 2 };
    return result;
  };
  return { name: "count", execute };
}

/** True if the first piece comes before the tool is over. */
async function givesAtOnce(guardrails: readonly Guardrail[], more: object = {}): Promise<boolean> {
  const hold = deferred();
  const runner = new ToolRunner({
    tools: [countTool(hold.promise)],
    guardrails: [allowAll(), ...guardrails],
    ...more,
  });
  const pieces = runner.stream({ name: "count" });
  const first = pieces.next().then(() => true);
  const timer = new Promise<false>((resolve) => setImmediate(resolve, false));
  const isFirst = await Promise.race([first, timer]);
  hold.resolve();
  await first;
  while ((await pieces.next()).done !== true);
  return isFirst;
}

describe("a guard that judges the whole only", () => {
  it("P6 is not shown pieces, which are given as they come, and judges the result", async () => {
    const { guard, seen } = wholeJudge();
    expect(await givesAtOnce([guard])).toBe(true);
    expect(seen).toEqual([{ total: 2 }]);
  });

  it("P6 withholds the whole after its pieces", async () => {
    const { guard } = wholeJudge();
    const tools = [countTool(Promise.resolve(), { sum: 2 })];
    const stream = new ToolRunner({ tools, guardrails: [allowAll(), guard] }).stream({
      name: "count",
    });
    const [pieces, outcome] = await read(stream);
    expect(pieces).toEqual([{ current: 1 }, { current: 2 }]);
    expect(outcome).toMatchObject({ status: "withheld", decidedBy: "whole" });
  });

  it("P6 has the last piece of a tool that returns nothing for the whole", async () => {
    const { guard, seen } = wholeJudge();
    const tools = [
      {
        name: "count",
        execute: async function* () {
          yield { current: 1 };
        },
      },
    ];
    const [pieces, outcome] = await read(
      new ToolRunner({ tools, guardrails: [allowAll(), guard] }).stream({ name: "count" }),
    );
    expect([pieces, outcome.status, seen]).toEqual([
      [{ current: 1 }],
      "withheld",
      [{ current: 1 }],
    ]);
  });

  it("gives the same result streamed as called", async () => {
    const { guard } = wholeJudge();
    const bench = new StaticWorkbench([countTool(Promise.resolve())], {
      guardrails: [allowAll(), guard],
    });
    const called = await bench.callTool("count");
    const items: unknown[] = [];
    for await (const item of bench.callToolStream("count")) items.push(item);
    expect(items.slice(0, -1)).toEqual([{ current: 1 }, { current: 2 }]);
    expect((items.at(-1) as ToolResult).structured).toEqual(called.structured);
    expect(called).toMatchObject({ isError: false, structured: { total: 2 } });
  });

  it("P6 is not shown the pieces that another guard judges and holds", async () => {
    const { guard, seen } = wholeJudge();
    const pieces: unknown[] = [];
    const other = {
      name: "pieces",
      evaluateResult: (_call: unknown, { structured }: ToolResult) => {
        pieces.push(structured);
        return allow();
      },
    };
    expect(await givesAtOnce([guard, other])).toBe(false);
    expect(seen).toEqual([{ total: 2 }]);
    expect(pieces).toEqual([{ current: 1 }, { current: 2 }, { total: 2 }]);
  });

  it.each<[string, (guard: Guardrail) => Guardrail]>([
    ["chain", (guard) => chain([guard])],
    ["parallel", (guard) => parallel([guard])],
    ["shadow", shadow],
    ["failOpen", failOpen],
    ["forTools", (guard) => forTools(["count"], guard)],
  ])("P6 is one also inside %s", async (_, wrap) => {
    expect(await givesAtOnce([wrap(wholeJudge().guard)])).toBe(true);
  });
});

describe("pieces are held", () => {
  it("P6 where a guard does not say that it leaves them alone, or cannot say", async () => {
    const silent = wholeJudge("silent").guard;
    expect(await givesAtOnce([{ ...silent, judgesPieces: undefined }])).toBe(false);
    expect(await givesAtOnce([wholeJudge("undecided", () => undefined as never).guard])).toBe(
      false,
    );
    const throwing = () => {
      throw new Error("which tool?");
    };
    expect(await givesAtOnce([wholeJudge("throws", throwing).guard])).toBe(false);
  });

  it("P6 by tool: a guard is asked about the one that is streamed", async () => {
    const asked: string[] = [];
    const judges = ({ name }: { readonly name: string }) => {
      asked.push(name);
      return name !== "count";
    };
    expect(await givesAtOnce([wholeJudge("by tool", judges).guard])).toBe(true);
    expect(asked).toEqual(["count"]);
  });

  it("P6 for no guard of other tools", async () => {
    const other = { name: "search", execute: () => "found" };
    const elsewhere = forTools(["search"], wholeJudge("elsewhere", () => true).guard);
    const tools = [countTool(Promise.resolve()), other];
    expect(await givesAtOnce([elsewhere], { tools })).toBe(true);
  });

  it("P15 until a required observer has put the call on record", async () => {
    const observer = { ...spyObserver(), required: true };
    expect(await givesAtOnce([wholeJudge().guard], { observers: [observer] })).toBe(false);
  });
});

it("P5 a judge of pieces that is no function is refused", () => {
  const guard = { ...wholeJudge().guard, judgesPieces: false as never };
  expect(() => new ToolRunner({ guardrails: [guard] })).toThrow(
    expect.objectContaining({ code: "ERR_INVALID_PROVIDER" }),
  );
});

describe("what a provider made of several says of pieces", () => {
  const judge = { name: "judge", evaluateResult: () => allow() };
  it.each<[string, boolean, GuardrailProvider]>([
    ["that it judges them where one of its guards does", true, chain([allowAll(), judge])],
    [
      "that it leaves them alone where none of its guards judges results",
      false,
      chain([allowAll()]),
    ],
    [
      "that it leaves those of a tool alone that its judge does not cover",
      false,
      chain([allowAll(), forTools(["other"], judge)]),
    ],
  ])("is %s", (_, judges, made) => {
    expect(made.judgesPieces?.({ name: "send" })).toBe(judges);
  });
});

describe("the pieces of a stream", () => {
  it("P6 are not given where one of them is what JSON cannot hold", async () => {
    const tool = spyTool("send", async function* () {
      yield "one";
      yield new Map();
      yield "three";
    });
    const judge = { name: "judge", evaluateResult: () => allow() };
    const runner = new ToolRunner({ tools: [tool], guardrails: [...guardrails, judge] });
    const [pieces, outcome] = await read(runner.stream({ name: "send" }));
    expect([pieces, outcome.status]).toEqual([[], "failed"]);
  });
});
