import assert from "node:assert/strict";
import fc from "fast-check";
import { expect, inject, it } from "vitest";
import { flatten } from "../src/guard/define.js";
import { Deliberation } from "../src/guard/deliberation.js";
import { parallel } from "../src/guard/parallel.js";
import { allow, deny, modify } from "../src/guard/verdicts.js";
import type { GuardrailProvider, GuardrailResult } from "../src/protocol/guardrail.js";
import { callOf } from "./support/calls.js";

/** What a guard makes of a number; `undefined` is a DENY. */
type Rule = (n: number) => number | undefined;

const rules: fc.Arbitrary<readonly Rule[]> = fc.array(
  fc.oneof(
    fc.nat(6).map(
      (most): Rule =>
        (n) =>
          n <= most ? n : undefined,
    ),
    fc.nat(6).map(
      (most): Rule =>
        (n) =>
          Math.min(n, most),
    ),
    fc.constant<Rule>((n) => n),
    fc.constant<Rule>((n) => n + 1),
  ),
  { minLength: 1, maxLength: 5 },
);

function answer(rule: Rule, n: number): GuardrailResult {
  const made = rule(n);
  if (made === undefined) return deny(`not ${n}`);
  return made === n ? allow() : modify({ n: made });
}

async function folded(of: readonly Rule[], n: number, wait: () => Promise<void> | undefined) {
  const last = new Map<number, number>();
  const guards = of.map(
    (rule, who): GuardrailProvider => ({
      name: `guard-${who}`,
      evaluate: ({ args }) => {
        const given = args["n"] as number;
        last.set(who, given);
        return wait()?.then(() => answer(rule, given)) ?? answer(rule, given);
      },
    }),
  );
  const deliberation = new Deliberation(flatten([parallel(guards)]), "call", callOf({ n }));
  return { deliberation, last, pending: deliberation.run() };
}

function seen({ denial, records, modifiedBy, call, judged }: Deliberation): unknown {
  return { denial: denial && { ...denial }, records, modifiedBy, args: { ...call.args }, judged };
}

it("P6 in parallel says the same whatever the order in which its guards answer", {
  tags: "longer",
}, async () => {
  await fc.assert(
    fc.asyncProperty(rules, fc.nat(8), fc.scheduler(), async (of, n, scheduler) => {
      const atOnce = await folded(of, n, () => undefined);
      const slowly = await folded(of, n, () => scheduler.schedule(Promise.resolve()));
      await scheduler.waitFor(slowly.pending ?? Promise.resolve());
      assert.deepEqual(seen(slowly.deliberation), seen(atOnce.deliberation));
    }),
    { numRuns: inject("long") ? 500 : 50 },
  );
});

it("P6 in parallel ends in what every guard was last asked about, or made; or in a DENY", async () => {
  await fc.assert(
    fc.asyncProperty(rules, fc.nat(8), async (of, n) => {
      const { deliberation, last, pending } = await folded(of, n, () => undefined);
      expect(pending).toBeUndefined();
      if (deliberation.denial !== undefined) {
        const firstDenies = of.findIndex((rule) => rule(n) === undefined);
        if (firstDenies >= 0) expect(deliberation.denial.decidedBy).toBe(`guard-${firstDenies}`);
        return;
      }
      const final = deliberation.call.args["n"] as number;
      for (const [who, rule] of of.entries()) {
        const asked = last.get(who) as number;
        expect(rule(asked)).toBe(final);
        if (deliberation.modifiedBy[0] !== `guard-${who}`) expect(asked).toBe(final);
      }
    }),
    { numRuns: 1_000 },
  );
});

it("denies in parallel whenever any denies what was asked, or two would change it", async () => {
  await fc.assert(
    fc.asyncProperty(rules, fc.nat(8), async (of, n) => {
      const { deliberation } = await folded(of, n, () => undefined);
      const made = of.map((rule) => rule(n));
      const changes = made.filter((each) => each !== undefined && each !== n).length;
      if (made.includes(undefined)) expect(deliberation.denial?.basis).toBe("policy");
      else if (changes > 1) expect(deliberation.denial?.basis).toBe("unstable");
      else if (changes === 0) expect(deliberation.denial).toBeUndefined();
    }),
    { numRuns: 500 },
  );
});
