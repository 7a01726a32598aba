import { getEventListeners } from "node:events";
import { describe, expect, it } from "vitest";
import { failOpen, shadow } from "../src/advisory.js";
import { chain } from "../src/chain.js";
import { allowAll, forTools, when, withTimeout } from "../src/combinators.js";
import { Fold } from "../src/fold.js";
import type { Phase } from "../src/judgement.js";
import { parallel } from "../src/parallel.js";
import type { GuardrailProvider, ToolOutcome } from "../src/protocol.js";
import { flatten, type Guardrail } from "../src/provider.js";
import { allow, deny, modify, rewrite } from "../src/verdict.js";
import {
  type Asked,
  callOf,
  deferred,
  foreignCall,
  provider,
  resultOf,
  scopeOn,
  settleAll,
} from "./support/calls.js";
import { whilePlanted } from "./support/planted.js";

const outcome = Object.freeze({ status: "aborted" }) as unknown as ToolOutcome;

async function folded(
  guardrails: readonly Guardrail[],
  options: { phase?: Phase; run?: object; args?: object; toolName?: string; asked?: Asked } = {},
): Promise<Fold> {
  const { scope } = options.asked ?? scopeOn();
  const { phase = "call", run = {}, args = {}, toolName = "send_mail" } = options;
  const links = flatten(guardrails).filter((link) => link.answers(phase));
  const folding = new Fold(links, phase, callOf(args, { scope, run, toolName }), resultOf());
  await folding.run();
  return folding;
}

const throws = (): never => {
  throw new Error("hunter2");
};

/** Everything a guard can do that stops or changes a call. */
const stops: readonly (readonly [string, () => unknown, string])[] = [
  ["denies", () => deny("no", { code: "c" }), "policy"],
  ["denies by a promise", async () => deny("no"), "policy"],
  ["throws", throws, "error"],
  ["rejects", async () => throws(), "error"],
  ["gives no decision", () => true, "malformed"],
  ["promises no decision", async () => "allow", "malformed"],
  ["modifies to what is no JSON", () => modify({ at: new Date(0) }), "malformed"],
];

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

  it("folds its own chain: its guards see what its own modifiers made", async () => {
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

  it("P14 takes quota of its own for calls that it would have let through", async () => {
    const run = {};
    const taken: string[] = [];
    const made = shadow({
      ...provider("a"),
      admit: () => {
        taken.push("admit");
        return allow();
      },
    });
    await folded([made], { run });
    await folded([made], { run, phase: "admit" });
    expect(taken).toEqual(["admit"]);
  });

  it.each<readonly [string, unknown]>([
    ["denied", deny("no")],
    ["failed on", true],
  ])(
    "P14 takes no quota for a call that it would have %s, and judges no result of it",
    async (_, answer) => {
      const run = {};
      const taken: string[] = [];
      const made = shadow({
        ...provider("a", () => answer),
        admit: () => {
          taken.push("admit");
          return allow();
        },
        evaluateResult: () => {
          taken.push("result");
          return allow();
        },
      });
      await folded([made], { run });
      const admitted = await folded([made, { ...provider("b"), admit: () => allow() }], {
        run,
        phase: "admit",
      });
      expect(admitted.denial).toBeUndefined();
      expect(admitted.records).toMatchObject([{ provider: "b" }]);
      expect((await folded([made], { run, phase: "result" })).records).toEqual([]);
      expect(taken).toEqual([]);
      // Another run is another matter.
      await folded([made], { run: {}, phase: "admit" });
      expect(taken).toEqual(["admit"]);
    },
  );

  it("judges no result of a run that it would not have admitted", async () => {
    const run = {};
    const judged: string[] = [];
    const made = shadow({
      ...provider("a"),
      admit: () => deny("full"),
      evaluateResult: () => {
        judged.push("result");
        return allow();
      },
    });
    await folded([made], { run });
    await folded([made], { run, phase: "admit" });
    await folded([made], { run, phase: "result" });
    expect(judged).toEqual([]);
  });

  it("P14 takes quota when it denied what was asked first and allows what it was changed into", async () => {
    const run = {};
    const taken: string[] = [];
    const limiter = {
      ...provider("a", ({ args }) => (args["n"] === 0 ? deny("no") : allow())),
      admit: () => {
        taken.push("admit");
        return allow();
      },
    };
    const made = shadow(limiter);
    const raises = provider("raises", ({ args }) => (args["n"] === 0 ? modify({ n: 1 }) : allow()));
    const folding = await folded([made, raises], { run, args: { n: 0 } });
    expect(folding.records.map(({ provider: who, decision }) => [who, decision])).toEqual([
      ["a", "deny"],
      ["raises", "modify"],
      ["a", "allow"],
    ]);
    await folded([made], { run, phase: "admit" });
    expect(taken).toEqual(["admit"]);
  });

  it("P14 takes no quota when it allowed what was asked first and denies what it was changed into", async () => {
    const run = {};
    const taken: string[] = [];
    const made = shadow({
      ...provider("a", ({ args }) => (args["n"] === 0 ? allow() : deny("no"))),
      admit: () => {
        taken.push("admit");
        return allow();
      },
    });
    await folded([made, provider("raises", () => modify({ n: 1 }))], { run, args: { n: 0 } });
    await folded([made], { run, phase: "admit" });
    expect(taken).toEqual([]);
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
    const folding = new Fold(flatten([shadow(provider("a"))]), "call", callOf());
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
      const folding = new Fold(
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
