import { describe, expect, it } from "vitest";
import { when } from "../src/guard/combinators.js";
import { flatten, type Guardrail } from "../src/guard/define.js";
import { Deliberation } from "../src/guard/deliberation.js";
import { Records } from "../src/guard/records.js";
import { allow, deny, modify, rewrite } from "../src/guard/verdicts.js";
import type { GuardrailProvider, ResultBody, ToolResult } from "../src/protocol/guardrail.js";
import { callOf, provider, resultOf, scopeOn } from "./support/calls.js";
import { whilePlanted } from "./support/planted.js";
import { deferred, settleAll } from "./support/promises.js";

function deliberation(guardrails: readonly Guardrail[], args: object = {}): Deliberation {
  return new Deliberation(flatten(guardrails), "call", callOf(args));
}

/** A judge of results alone. */
function judge(
  name: string,
  evaluateResult: (result: ToolResult) => unknown,
): GuardrailProvider & { seen: ToolResult[] } {
  const seen: ToolResult[] = [];
  return {
    name,
    seen,
    evaluate: () => allow(),
    evaluateResult: (_, result) => {
      seen.push(result);
      return evaluateResult(result) as never;
    },
  };
}

async function foldedResult(
  guardrails: readonly Guardrail[],
  result = resultOf(),
): Promise<Deliberation> {
  const folding = new Deliberation(flatten(guardrails), "result", callOf(), result);
  await folding.run();
  return folding;
}

describe("a deliberation over calls", () => {
  it("is content and unjudged when there is nobody to ask", () => {
    const folding = deliberation([]);
    expect(folding.run()).toBeUndefined();
    expect(folding.denial).toBeUndefined();
    expect(folding.judged).toBe(false);
  });

  it("P3 is unjudged when nobody has a say", () => {
    const silent = provider("a", () => allow());
    const folding = deliberation([when(() => false, silent)]);
    folding.run();
    expect(folding.judged).toBe(false);
    expect(folding.records).toEqual([]);
    expect(silent.asked).toEqual([]);
  });

  it("P3 is unjudged when the one who judged has no say about what was made of it since", () => {
    const first = provider("first");
    const changes = provider("changes", () => modify({ a: 2 }));
    const guards = flatten([when((call) => call.args["a"] === 1, first), changes]);
    const uncounted = guards.map((guard, index) =>
      index === 1 ? guard.with({ counts: false }) : guard,
    );
    const folding = new Deliberation(uncounted, "call", callOf({ a: 1 }));
    folding.run();
    expect(folding.call.args).toEqual({ a: 2 });
    expect(first.asked).toHaveLength(1);
    expect(folding.judged).toBe(false);
  });

  it("P3 is judged by the one who made the change, where that one counts", () => {
    const changes = provider("changes", () => modify({ a: 2 }));
    const folding = deliberation(
      [when((call) => call.args["a"] === 1, provider("first")), changes],
      {
        a: 1,
      },
    );
    folding.run();
    expect(folding.judged).toBe(true);
  });

  it("P6 asks one alone only once, for it is content with what it made", () => {
    const alone = provider("a", () => modify({ n: 1 }));
    const folding = deliberation([alone], { n: 0 });
    folding.run();
    expect(alone.asked).toEqual([{ n: 0 }]);
    expect(folding.call.args).toEqual({ n: 1 });
    expect(folding.modifiedBy).toEqual(["a"]);
  });

  it("P6 asks those before a change again, and those after it once", () => {
    const before = provider("before");
    const changes = provider("changes", (call) =>
      call.args["n"] === 0 ? modify({ n: 1 }) : allow(),
    );
    const after = provider("after");
    const folding = deliberation([before, changes, after], { n: 0 });
    folding.run();
    expect(before.asked).toEqual([{ n: 0 }, { n: 1 }]);
    expect(changes.asked).toEqual([{ n: 0 }]);
    expect(after.asked).toEqual([{ n: 1 }]);
  });

  it("takes a MODIFY that changes nothing for an ALLOW, and records it as one", () => {
    const same = provider("same", () => modify({ b: [1, { c: 2 }], a: 0, gone: undefined }));
    const other = provider("other");
    const folding = deliberation([other, same], { a: 0, b: [1, { c: 2 }] });
    folding.run();
    expect(folding.modifiedBy).toEqual([]);
    expect(other.asked).toHaveLength(1);
    expect(folding.records.map(({ decision }) => decision)).toEqual(["allow", "allow"]);
  });

  it("stops two who undo each other's work after three questions each", () => {
    const to = (n: number) => () => modify({ n });
    const guards = [provider("one", to(1)), provider("two", to(2)), provider("third")] as const;
    const folding = deliberation(guards, { n: 0 });
    folding.run();
    expect(guards.flatMap(({ asked }) => asked)).toHaveLength(9);
    expect(folding.denial).toMatchObject({
      decision: "deny",
      basis: "unstable",
      decidedBy: "core",
      reason: "guardrails do not settle on one set of arguments",
    });
    expect(folding.records.at(-1)).toMatchObject({ provider: "core", basis: "unstable" });
  });

  it("counts as questions only those that were asked", () => {
    const until8 = (name: string, odd: number) =>
      provider(name, ({ args }) => {
        const n = args["n"] as number;
        return n < 8 && n % 2 === odd ? modify({ n: n + 1 }) : allow();
      });
    const silent = (name: string) => when(() => false, provider(name));
    // Of four guards that may ask 12 questions, two have a say and need 9.
    const settled = deliberation([until8("even", 0), until8("odd", 1), silent("x"), silent("y")], {
      n: 0,
    });
    settled.run();
    expect(settled.denial).toBeUndefined();
    expect(settled.call.args).toEqual({ n: 8 });
    const unsettled = deliberation([until8("even", 0), until8("odd", 1)], { n: 0 });
    unsettled.run();
    expect(unsettled.denial?.basis).toBe("unstable");
  });

  it("asks nobody after a DENY", () => {
    const after = provider("after");
    const folding = deliberation([
      provider("before"),
      provider("denies", () => deny("no", { code: "c" })),
      after,
    ]);
    folding.run();
    expect(after.asked).toEqual([]);
    expect(folding.denial).toMatchObject({ reason: "no", code: "c", decidedBy: "denies" });
    expect(folding.records).toEqual([
      { provider: "before", phase: "call", decision: "allow", basis: "policy" },
      expect.objectContaining({
        provider: "denies",
        phase: "call",
        decision: "deny",
        basis: "policy",
        code: "c",
        reason: "no",
      }),
    ]);
  });

  it("waits for an answer before it asks the next", async () => {
    const gate = deferred();
    const waits = provider("waits", () => gate.promise);
    const next = provider("next");
    const folding = deliberation([provider("first"), waits, next]);
    const pending = folding.run();
    await settleAll();
    expect(waits.asked).toHaveLength(1);
    expect(next.asked).toHaveLength(0);
    gate.resolve(allow());
    expect(await pending).toBeUndefined();
    expect(next.asked).toHaveLength(1);
    expect(folding.judged).toBe(true);
  });

  it("P4 is denied when the caller gives up while one thinks, and asks nobody after", async () => {
    const caller = new AbortController();
    const { scope } = scopeOn({ caller: caller.signal });
    const gate = deferred();
    const next = provider("next");
    const folding = new Deliberation(
      flatten([provider("waits", () => gate.promise), next]),
      "call",
      callOf({}, { scope }),
    );
    const pending = folding.run();
    caller.abort();
    gate.resolve(allow());
    await pending;
    expect(folding.denial).toMatchObject({ decision: "deny", basis: "error", decidedBy: "waits" });
    expect(next.asked).toEqual([]);
  });

  it("adds its records to those that it is given", () => {
    const records = new Records();
    new Deliberation(flatten([provider("a")]), "call", callOf(), undefined, records).run();
    expect(records.list).toHaveLength(1);
  });

  it("P6 freezes what it tells of who decided and who changed", () => {
    const folding = deliberation(
      [provider("a", () => modify({ n: 1 })), provider("b", () => deny("no"))],
      {},
    );
    folding.run();
    for (const record of folding.records) expect(Object.isFrozen(record)).toBe(true);
    expect(Object.isFrozen(folding.modifiedBy)).toBe(true);
    expect(Object.isFrozen(deliberation([]).modifiedBy)).toBe(true);
  });

  it("P6 keeps a provider from changing the arguments that it is shown", () => {
    const changer = provider("changer", (call) => {
      const args = call.args as { list: unknown[] };
      for (const attempt of [
        () => Object.defineProperty(args, "list", { value: [] }),
        () => Array.prototype.push.call(args.list, "more"),
        () => Object.assign(args, { [Symbol("x")]: 1 }),
        () => Reflect.setPrototypeOf(args, null) || fails(),
        () => Reflect.deleteProperty(args, "list") || fails(),
      ]) {
        expect(attempt).toThrow();
      }
      return allow();
    });
    const folding = deliberation([changer], { list: ["a"] });
    folding.run();
    expect(folding.denial).toBeUndefined();
    expect(folding.call.args).toEqual({ list: ["a"] });
  });
});

function fails(): never {
  throw new Error("kept");
}

describe("a deliberation over admissions", () => {
  it("asks each once, in order", () => {
    const order: string[] = [];
    const admits = (name: string): GuardrailProvider => ({
      name,
      evaluate: () => allow(),
      admit: () => {
        order.push(name);
        return allow();
      },
    });
    const folding = new Deliberation(flatten(["a", "b", "c"].map(admits)), "admit", callOf());
    folding.run();
    expect(order).toEqual(["a", "b", "c"]);
    expect(folding.records.map(({ phase }) => phase)).toEqual(["admit", "admit", "admit"]);
  });
});

describe("a deliberation over results", () => {
  const redact = (result: ToolResult): unknown =>
    String(result.content).includes("hunter2") ? rewrite({ content: "[gone]" }) : allow();

  it("P6 shows each judge what the last one left", async () => {
    const first = judge("first", () => allow());
    const redacts = judge("redacts", redact);
    const last = judge("last", () => allow());
    const folding = await foldedResult([first, redacts, last], resultOf("hunter2"));
    expect(first.seen.map(({ content }) => content)).toEqual(["hunter2", "[gone]"]);
    expect(redacts.seen).toHaveLength(1);
    expect(last.seen.map(({ content }) => content)).toEqual(["[gone]"]);
    expect(folding.result?.content).toBe("[gone]");
    expect(folding.modifiedBy).toEqual(["redacts"]);
    expect(folding.call.args).toEqual({});
  });

  it("keeps the identity, and drops what the tool passed along, when it is rewritten", async () => {
    const result = Object.freeze({
      ...resultOf("hunter2"),
      receipt: "r",
      raw: { secret: "hunter2" },
      isError: true,
    });
    const folding = await foldedResult([judge("redacts", redact)], result);
    expect({ ...folding.result }).toEqual({
      callId: "call-1",
      name: "send_mail",
      isError: true,
      content: "[gone]",
      structured: undefined,
      receipt: undefined,
      raw: undefined,
    });
  });

  it.each<readonly [string, ResultBody, ResultBody, boolean]>([
    ["the same text", { content: "a" }, { content: "a" }, true],
    ["other text", { content: "a" }, { content: "b" }, false],
    [
      "keys in another order",
      { content: [{ type: "text", text: "a" }] },
      { content: [{ text: "a", type: "text" }] },
      true,
    ],
    [
      "a structured value where there was none",
      { content: "a" },
      { content: "a", structured: {} },
      false,
    ],
    [
      "a structured null where there was none",
      { content: "a" },
      { content: "a", structured: null },
      false,
    ],
    [
      "no structured value where there was one",
      { content: "a", structured: { n: 1 } },
      { content: "a" },
      false,
    ],
    [
      "no structured value where there was null",
      { content: "a", structured: null },
      { content: "a" },
      false,
    ],
    [
      "another structured value",
      { content: "a", structured: { n: 1 } },
      { content: "a", structured: { n: 2 } },
      false,
    ],
    [
      "the same structured value",
      { content: "a", structured: { n: 1, m: 2 } },
      { content: "a", structured: { m: 2, n: 1 } },
      true,
    ],
  ])("sees whether a rewrite changes anything: %s", async (_, before, after, same) => {
    const other = judge("other", () => allow());
    const result = { ...resultOf(), ...before };
    const folding = await foldedResult([other, judge("rewrites", () => rewrite(after))], result);
    expect(folding.modifiedBy).toEqual(same ? [] : ["rewrites"]);
    expect(folding.result === result).toBe(same);
    expect(folding.result?.content).toEqual(after.content);
    expect(folding.result?.structured).toEqual(after.structured);
    expect(other.seen).toHaveLength(same ? 1 : 2);
  });

  it("is stopped when judges undo each other's work", async () => {
    const folding = await foldedResult([
      judge("one", () => rewrite({ content: "1" })),
      judge("two", () => rewrite({ content: "2" })),
    ]);
    expect(folding.denial).toMatchObject({
      basis: "unstable",
      reason: "guardrails do not settle on one result",
    });
  });

  it("P8 keeps a rewrite whatever is planted under the names of its parts", async () => {
    const folding = new Deliberation(
      flatten([judge("redacts", redact)]),
      "result",
      callOf(),
      resultOf("hunter2"),
    );
    whilePlanted(
      { args: {}, body: { content: "planted" }, modifiedArgs: {}, records: [], structured: 1 },
      () => folding.run(),
    );
    expect(folding.result?.content).toBe("[gone]");
    expect(folding.result?.structured).toBeUndefined();
    expect(folding.records.map(({ provider: who }) => who)).toEqual(["redacts"]);
  });
});
