import { getEventListeners } from "node:events";
import { describe, expect, it } from "vitest";
import { forTools, when, withTimeout } from "../src/guard/combinators.js";
import { chain } from "../src/guard/compose.js";
import { flatten } from "../src/guard/define.js";
import { Deliberation } from "../src/guard/deliberation.js";
import { failOpen } from "../src/guard/fail-open.js";
import { parallel } from "../src/guard/parallel.js";
import { shadow } from "../src/guard/shadow.js";
import { allow, deny, modify } from "../src/guard/verdicts.js";
import { callOf, foreignCall, outcome, provider, scopeOn } from "./support/calls.js";
import { throws } from "./support/errors.js";
import { folded, stops } from "./support/folds.js";
import { whilePlanted } from "./support/planted.js";
import { deferred, settleAll } from "./support/promises.js";

describe("failOpen", () => {
  it.each(stops.filter(([, , basis]) => basis !== "policy"))(
    "P1 allows where its guard %s, and records that it failed",
    async (_, evaluate, basis) => {
      const folding = await folded([failOpen(provider("a", evaluate))]);
      expect(folding.denial).toBeUndefined();
      expect(folding.judged).toBe(true);
      expect(folding.records).toMatchObject([
        { provider: "a", phase: "call", decision: "allow", basis, mode: "fail-open" },
      ]);
      expect(folding.records[0]?.reason).toMatch(/^guardrail 'a' /);
      expect(Object.isFrozen(folding.records[0])).toBe(true);
    },
  );

  it("P1 allows where its guard is too slow, and its end is not the run's", async () => {
    const asked = scopeOn({ timeoutMs: 10 });
    let signal: AbortSignal | undefined;
    const slow = provider("a", (call) => {
      signal = call.signal;
      return new Promise(() => undefined);
    });
    const pending = folded([failOpen(slow)], { asked });
    asked.clock.pass(10);
    expect((await pending).records).toMatchObject([{ basis: "timeout", mode: "fail-open" }]);
    expect(signal?.aborted).toBe(true);
    expect(asked.scope.signal.aborted).toBe(false);
  });

  it.each(stops.filter(([, , basis]) => basis === "policy"))(
    "P1 denies where its guard %s",
    async (_, evaluate) => {
      const folding = await folded([failOpen(provider("a", evaluate))]);
      expect(folding.denial).toMatchObject({ decision: "deny", basis: "policy", decidedBy: "a" });
      expect(folding.records).toMatchObject([{ provider: "a", decision: "deny", basis: "policy" }]);
    },
  );

  it("P1 opens no other guard than its own", async () => {
    const folding = await folded([failOpen(provider("a", throws)), provider("b", throws)]);
    expect(folding.denial).toMatchObject({ basis: "error", decidedBy: "b" });
  });

  it("P1 opens each guard of a chain for itself, and leaves the denials of the others", async () => {
    const made = failOpen(
      chain([provider("broken", throws), provider("denies", () => deny("no"))]),
    );
    const folding = await folded([made]);
    expect(folding.denial).toMatchObject({ basis: "policy", decidedBy: "denies" });
    expect(folding.records.map(({ mode }) => mode)).toEqual(["fail-open", undefined]);
  });

  it("P1 opens each of several in parallel for itself, and leaves the denials of the others", async () => {
    for (const slowly of [false, true]) {
      const answer = (given: () => unknown) => (slowly ? async () => given() : given);
      const made = failOpen(
        parallel([
          provider("broken", answer(throws)),
          provider(
            "denies",
            answer(() => deny("no", { code: "c" })),
          ),
        ]),
      );
      const folding = await folded([made]);
      expect(folding.denial).toMatchObject({ basis: "policy", decidedBy: "denies", code: "c" });
      expect(folding.records).toMatchObject([
        { provider: "broken", decision: "allow", basis: "error", mode: "fail-open" },
        { provider: "denies", decision: "deny" },
      ]);
    }
  });

  it("P1 does not open two in parallel that disagree on a change", async () => {
    const made = failOpen(
      parallel([provider("a", () => modify({ n: 1 })), provider("b", () => modify({ n: 2 }))]),
    );
    expect((await folded([made])).denial?.basis).toBe("unstable");
  });

  it("P3 does not count for a tool that none in parallel has a say about", async () => {
    const made = failOpen(parallel([forTools(["other"], provider("a"))]));
    const folding = await folded([made]);
    expect(folding.judged).toBe(false);
    expect(folding.records).toEqual([]);
  });

  it("P4 does not allow what the caller gave up while its guard was thinking", async () => {
    const caller = new AbortController();
    const asked = scopeOn({ caller: caller.signal });
    const gate = deferred();
    const pending = folded([failOpen(provider("a", () => gate.promise))], { asked });
    caller.abort();
    gate.resolve(allow());
    expect((await pending).denial).toMatchObject({ decision: "deny", basis: "error" });
  });

  it("P8 does not open because a then is planted, which is why its guard's DENY cannot be read", () => {
    for (const then of ["data", (yes: (value: unknown) => void) => yes(allow())]) {
      const folding = new Deliberation(
        flatten([failOpen(provider("a", () => deny("no")))]),
        "call",
        callOf(),
      );
      whilePlanted({ then }, () => folding.run());
      expect(folding.denial?.decision).toBe("deny");
    }
  });

  it("lets a change through", async () => {
    const folding = await folded([failOpen(provider("a", () => modify({ n: 1 })))]);
    expect(folding.call.args).toEqual({ n: 1 });
    expect(folding.modifiedBy).toEqual(["a"]);
  });

  it("opens admissions and results too", async () => {
    const broken = { ...provider("a"), admit: throws, evaluateResult: throws };
    for (const phase of ["admit", "result"] as const) {
      const folding = await folded([failOpen(broken)], { phase });
      expect(folding.denial).toBeUndefined();
      expect(folding.records).toMatchObject([
        { phase, decision: "allow", basis: "error", mode: "fail-open" },
      ]);
    }
    const full = { ...provider("a"), admit: () => deny("full"), evaluateResult: () => deny("no") };
    for (const phase of ["admit", "result"] as const) {
      expect((await folded([failOpen(full)], { phase })).denial?.basis).toBe("policy");
    }
  });

  it("P1 still denies where a condition fails: whom it is for is not for it to say", async () => {
    const made = failOpen(when((async () => true) as never, provider("a")));
    expect((await folded([made])).denial?.basis).toBe("malformed");
  });

  it("keeps the tools and conditions of its guard, and takes further ones", async () => {
    const inner = () => provider("a", () => deny("no"));
    for (const made of [
      failOpen(forTools(["other"], inner())),
      forTools(["other"], failOpen(inner())),
      failOpen(when(() => false, inner())),
      when(() => false, failOpen(inner())),
    ]) {
      const folding = await folded([made]);
      expect(folding.denial).toBeUndefined();
      expect(folding.judged).toBe(false);
    }
    expect((await folded([forTools(["send_mail"], failOpen(inner()))])).denial?.reason).toBe("no");
  });

  it("does not say that it checks arguments, for it may not", () => {
    const strict = { ...provider("a"), checksArguments: () => true };
    expect(failOpen(strict).checksArguments?.({ name: "x" })).toBe(false);
    expect(failOpen(parallel([strict])).checksArguments?.({ name: "x" })).toBe(false);
    expect(withTimeout(failOpen(strict), 1).checksArguments?.({ name: "x" })).toBe(false);
  });

  it("can be given another deadline", async () => {
    const asked = scopeOn({ timeoutMs: 5_000 });
    const slow = provider("a", () => new Promise(() => undefined));
    const pending = folded([withTimeout(failOpen(slow), 10)], { asked });
    asked.clock.pass(10);
    expect((await pending).records).toMatchObject([{ basis: "timeout", mode: "fail-open" }]);
  });

  it("forwards settle, register and close, and is named after what it holds", async () => {
    const told: string[] = [];
    const made = failOpen({
      ...provider("a"),
      settle: () => void told.push("settle"),
      register: () => void told.push("register"),
      close: () => void told.push("close"),
    });
    await made.settle?.(foreignCall(), outcome);
    made.register?.({ name: "x" });
    await made.close?.();
    expect(told).toEqual(["settle", "register", "close"]);
    expect(made.name).toBe("failOpen(a)");
  });

  it("P17 lets go of the caller's signal", async () => {
    const caller = new AbortController();
    const asked = scopeOn({ caller: caller.signal });
    const reads = provider("a", async (call) => {
      expect(call.signal.aborted).toBe(false);
      return allow();
    });
    await folded([failOpen(reads)], { asked });
    expect(getEventListeners(caller.signal, "abort")).toHaveLength(0);
  });

  it("counts no more than its guard does", async () => {
    expect((await folded([failOpen(shadow(provider("a", throws)))])).judged).toBe(false);
    await settleAll();
  });
});
