import { getEventListeners } from "node:events";
import { describe, expect, it } from "vitest";
import { allowAll, forTools, when, withTimeout } from "../src/guard/combinators.js";
import { chain } from "../src/guard/compose.js";
import { flatten } from "../src/guard/define.js";
import { Deliberation } from "../src/guard/deliberation.js";
import { failOpen } from "../src/guard/fail-open.js";
import { shadow } from "../src/guard/shadow.js";
import { allow, deny, modify, rewrite } from "../src/guard/verdicts.js";
import type { GuardrailProvider } from "../src/protocol/guardrail.js";
import { callOf, foreignCall, outcome, provider, scopeOn } from "./support/calls.js";
import { throws } from "./support/errors.js";
import { folded, stops } from "./support/folds.js";

describe("shadow", () => {
  it.each(stops)(
    "records what a guard that %s would have done, and allows",
    async (_, evaluate, basis) => {
      const folding = await folded([shadow(provider("a", evaluate)), allowAll()]);
      expect(folding.denial).toBeUndefined();
      expect(folding.records).toMatchObject([
        { provider: "a", phase: "call", decision: "deny", basis, mode: "shadow" },
        { provider: "allow-all" },
      ]);
      expect(Object.isFrozen(folding.records[0])).toBe(true);
      expect(JSON.stringify(folding.records)).not.toContain("hunter2");
    },
  );

  it("never modifies, a call or a result", async () => {
    const changes = {
      ...provider("a", () => modify({ n: 1 })),
      evaluateResult: () => rewrite({ content: "other" }),
    };
    const onCall = await folded([shadow(changes)], { args: { n: 0 } });
    expect(onCall.call.args).toEqual({ n: 0 });
    expect(onCall.modifiedBy).toEqual([]);
    expect(onCall.records).toMatchObject([{ decision: "modify", mode: "shadow" }]);
    const onResult = await folded([shadow(changes)], { phase: "result" });
    expect(onResult.result?.content).toBe("sent");
    expect(onResult.records).toMatchObject([
      { phase: "result", decision: "modify", mode: "shadow" },
    ]);
  });

  it("never withholds a result, and never stops an admission", async () => {
    const denies = { ...provider("a"), admit: () => deny("no"), evaluateResult: () => deny("no") };
    for (const phase of ["admit", "result"] as const) {
      const folding = await folded([shadow(denies)], { phase });
      expect(folding.denial).toBeUndefined();
      expect(folding.records).toMatchObject([{ phase, decision: "deny", mode: "shadow" }]);
    }
  });

  it("P3 does not count, whatever it says", async () => {
    expect((await folded([shadow(provider("a"))])).judged).toBe(false);
    expect(
      (await folded([shadow(allowAll()), shadow(provider("b", () => modify({ n: 1 })))])).judged,
    ).toBe(false);
    expect((await folded([shadow(chain([provider("a"), provider("b")]))])).judged).toBe(false);
  });

  it("does not say that it checks arguments, and refuses no tool", () => {
    const strict: GuardrailProvider = {
      ...provider("a"),
      checksArguments: () => true,
      register: throws,
    };
    const made = shadow(strict);
    expect(made.checksArguments?.({ name: "send_mail" })).toBe(false);
    expect(() => made.register?.({ name: "send_mail" })).not.toThrow();
  });

  it("registers with all that it holds, each for its own tools", () => {
    const registered: string[] = [];
    const registers = (name: string): GuardrailProvider => ({
      ...provider(name),
      register: (tool) => {
        registered.push(`${name}:${tool.name}`);
        throws();
      },
    });
    const made = shadow(chain([registers("a"), forTools(["other"], registers("b"))]));
    made.register?.({ name: "send_mail" });
    made.register?.({ name: "other" });
    expect(registered).toEqual(["a:send_mail", "a:other", "b:other"]);
    expect(made.tools).toEqual(["other"]);
  });

  it("is named after its guard, or its guards", () => {
    expect(flatten([shadow(provider("a"))])[0]?.facts.name).toBe("a");
    expect(shadow(chain([provider("a"), provider("b")])).name).toBe("shadow(a, b)");
  });

  it("asks those of a chain who answer in a phase, where others do not", async () => {
    const made = shadow(
      chain([
        provider("a"),
        { ...provider("b"), admit: () => deny("full"), evaluateResult: () => deny("no") },
      ]),
    );
    for (const phase of ["admit", "result"] as const) {
      const folding = await folded([made], { phase });
      expect(folding.records).toMatchObject([{ provider: "b", phase, mode: "shadow" }]);
    }
  });

  it("P1 lets a guard that is too slow, or never answers, hold a call no longer than its time", async () => {
    const asked = scopeOn({ timeoutMs: 5_000 });
    const slow = withTimeout(
      provider("slow", () => new Promise(() => undefined)),
      10,
    );
    const pending = folded([shadow(slow), allowAll()], { asked });
    asked.clock.pass(10);
    const folding = await pending;
    expect(folding.denial).toBeUndefined();
    expect(folding.records).toMatchObject([
      { provider: "slow", basis: "timeout", mode: "shadow" },
      { provider: "allow-all" },
    ]);
    expect(asked.scope.signal.aborted).toBe(false);
  });

  it("deliberations its own chain: its guards see what its own modifiers made", async () => {
    const sees = provider("sees");
    const made = shadow(
      chain([
        provider("changes", ({ args }) => (args["n"] === 0 ? modify({ n: 1 }) : allow())),
        sees,
      ]),
    );
    const folding = await folded([made], { args: { n: 0 } });
    expect(sees.asked).toEqual([{ n: 1 }]);
    expect(folding.call.args).toEqual({ n: 0 });
    expect(folding.records.map(({ provider: who, mode }) => [who, mode])).toEqual([
      ["changes", "shadow"],
      ["sees", "shadow"],
    ]);
  });

  it("settles and closes all that it holds, also those it did not ask", async () => {
    const told: string[] = [];
    const settles = (name: string): GuardrailProvider => ({
      ...provider(name, () => deny("no")),
      settle: () => void told.push(`settle ${name}`),
      close: () => void told.push(`close ${name}`),
    });
    const made = shadow(chain([settles("a"), settles("b")]));
    await folded([made]);
    await made.settle?.(foreignCall(), outcome);
    await made.close?.();
    expect(told).toEqual(["settle a", "settle b", "close a", "close b"]);
    expect(shadow(provider("a")).settle).toBeUndefined();
  });

  it("keeps what a guard that fails open inside it did apart from what it would have done", async () => {
    const folding = await folded([shadow(failOpen(provider("a", throws)))]);
    expect(folding.records).toMatchObject([
      { provider: "a", decision: "allow", basis: "error", mode: "fail-open" },
    ]);
    expect(folding.judged).toBe(false);
  });

  it("has a say where its conditions and its tools say so", async () => {
    const inner = provider("a", () => deny("no"));
    expect((await folded([forTools(["other"], shadow(inner))])).records).toEqual([]);
    expect((await folded([shadow(forTools(["other"], inner))])).records).toEqual([]);
    expect((await folded([when(() => false, shadow(inner))])).records).toEqual([]);
    expect((await folded([when(() => true, shadow(inner))])).records).toHaveLength(1);
  });

  it("P1 denies where a condition put round it fails, and records where one inside it does", async () => {
    const promised = (async () => true) as never;
    expect((await folded([when(promised, shadow(provider("a")))])).denial?.basis).toBe("malformed");
    const inside = await folded([shadow(when(promised, provider("a")))]);
    expect(inside.denial).toBeUndefined();
    expect(inside.records).toMatchObject([
      { decision: "deny", basis: "malformed", mode: "shadow" },
    ]);
  });

  it("P17 lets go of the caller's signal, however its guard answers", async () => {
    for (const evaluate of [() => allow(), async () => allow(), async () => deny("no"), throws]) {
      const caller = new AbortController();
      const asked = scopeOn({ caller: caller.signal });
      const reads = provider("a", (call) => {
        expect(call.signal.aborted).toBe(false);
        return evaluate();
      });
      await folded([shadow(reads)], { asked });
      expect(getEventListeners(caller.signal, "abort")).toHaveLength(0);
    }
  });

  it("answers at once where its guard does", () => {
    const folding = new Deliberation(flatten([shadow(provider("a"))]), "call", callOf());
    expect(folding.run()).toBeUndefined();
    expect(folding.records).toHaveLength(1);
  });

  it("aborts the signal of a guard inside it when the caller gives up", async () => {
    const caller = new AbortController();
    const asked = scopeOn({ caller: caller.signal });
    let signal: AbortSignal | undefined;
    const pending = folded(
      [
        shadow(
          provider("a", (call) => {
            signal = call.signal;
            return new Promise(() => undefined);
          }),
        ),
      ],
      { asked },
    );
    caller.abort("gone");
    await pending;
    expect(signal?.reason).toBe("gone");
  });
});
