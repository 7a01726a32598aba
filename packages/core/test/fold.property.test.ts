import assert from "node:assert/strict";
import fc from "fast-check";
import { describe, expect, inject, it } from "vitest";
import { chain } from "../src/guard/compose.js";
import { flatten } from "../src/guard/define.js";
import { Deliberation } from "../src/guard/deliberation.js";
import { allow, deny, modify } from "../src/guard/verdicts.js";
import type { GuardrailProvider, GuardrailResult, JsonObject } from "../src/protocol/guardrail.js";
import { callOf, foreignCall } from "./support/calls.js";

/** Arguments small enough for guards to meet each other often. */
interface Small {
  readonly n: number;
  readonly s: string;
}

/** One guard as data: what it checks, or what it makes of the arguments. */
type Rule =
  | { readonly kind: "check"; readonly holds: (args: Small) => boolean }
  | { readonly kind: "change"; readonly make: (args: Small) => Small };

const checks: readonly Rule[] = [3, 5, 8].flatMap((most): Rule[] => [
  { kind: "check", holds: ({ n }) => n <= most },
  { kind: "check", holds: ({ s }) => s.length <= most },
  { kind: "check", holds: ({ n }) => n % 2 === most % 2 },
]);
const idempotent: readonly Rule[] = [
  { kind: "change", make: (args) => ({ ...args, n: Math.min(args.n, 4) }) },
  { kind: "change", make: (args) => ({ ...args, n: args.n - (args.n % 2) }) },
  { kind: "change", make: (args) => ({ ...args, s: args.s.slice(0, 2) }) },
  { kind: "change", make: (args) => ({ ...args, s: args.s.replaceAll("b", "a") }) },
  { kind: "change", make: (args) => args },
  // The same value in another order: a MODIFY that changes nothing.
  { kind: "change", make: ({ n, s }) => ({ s, n }) },
];
const restless: readonly Rule[] = [
  { kind: "change", make: (args) => ({ ...args, n: args.n + 1 }) },
  { kind: "change", make: (args) => ({ ...args, n: args.n === 0 ? 1 : 0 }) },
  { kind: "change", make: (args) => ({ ...args, s: `${args.s}b` }) },
];

const small: fc.Arbitrary<Small> = fc.record({
  n: fc.nat(9),
  s: fc.string({ unit: fc.constantFrom("a", "b"), maxLength: 9 }),
});
const slow = fc.array(fc.boolean(), { minLength: 8, maxLength: 8 });

function rules(...of: readonly (readonly Rule[])[]): fc.Arbitrary<readonly Rule[]> {
  return fc.array(fc.constantFrom(...of.flat()), { minLength: 1, maxLength: 6 });
}

interface Question {
  readonly who: number;
  readonly args: JsonObject;
  readonly made: JsonObject | undefined;
}

/** Guards that follow rules, each answering at once or by a promise, and note each question in one list. */
function guards(
  of: readonly Rule[],
  slowly: readonly boolean[],
  log: Question[],
): GuardrailProvider[] {
  return of.map((rule, who) => ({
    name: `guard-${who}`,
    evaluate: (call) => {
      const args = call.args as unknown as Small;
      const made = rule.kind === "change" ? rule.make(args) : undefined;
      log.push({ who, args: call.args, made: made as JsonObject | undefined });
      const answer: GuardrailResult =
        rule.kind === "change"
          ? modify(made as object, { reason: `change-${who}` })
          : rule.holds(args)
            ? allow()
            : deny(`check-${who}`);
      return slowly[who] === true ? Promise.resolve(answer) : answer;
    },
  }));
}

async function folded(of: readonly Rule[], slowly: readonly boolean[], args: Small) {
  const log: Question[] = [];
  const deliberation = new Deliberation(flatten(guards(of, slowly, log)), "call", callOf(args));
  const pending = deliberation.run();
  await pending;
  return { deliberation, log, waited: pending !== undefined };
}

describe("P6 a deliberation over random checkers and modifiers", () => {
  it("ends content only with arguments that satisfy every checker and that each was last asked about, or made", {
    tags: "longer",
  }, async () => {
    await fc.assert(
      fc.asyncProperty(
        rules(checks, idempotent, restless),
        slow,
        small,
        async (of, slowly, args) => {
          const { deliberation, log } = await folded(of, slowly, args);
          expect(log.length).toBeLessThanOrEqual(3 * of.length);
          if (deliberation.denial !== undefined) return;
          const final = deliberation.call.args as unknown as Small;
          for (const [who, rule] of of.entries()) {
            if (rule.kind === "check") expect(rule.holds(final)).toBe(true);
            const last = log.findLast((question) => question.who === who);
            assert(last !== undefined);
            const content = [last.args, last.made].some(
              (seen) => seen !== undefined && isSame(seen, deliberation.call.args),
            );
            expect(content).toBe(true);
            if (rule.kind === "change" && !isSame(last.args, deliberation.call.args)) {
              assert.deepEqual(last.made, deliberation.call.args);
            }
          }
          expect(deliberation.judged).toBe(true);
        },
      ),
      { numRuns: inject("long") ? 1_000 : 100 },
    );
  });

  it("asks in order, round and round, and nobody after a DENY", async () => {
    await fc.assert(
      fc.asyncProperty(
        rules(checks, idempotent, restless),
        slow,
        small,
        async (of, slowly, args) => {
          const { deliberation, log } = await folded(of, slowly, args);
          assert.deepEqual(
            log.map(({ who }) => who),
            log.map((_, index) => index % of.length),
          );
          if (deliberation.denial?.basis === "policy") {
            const last = log.at(-1)?.who;
            expect(deliberation.denial.decidedBy).toBe(`guard-${last}`);
            expect(deliberation.denial.reason).toBe(`check-${last}`);
          } else if (deliberation.denial !== undefined) {
            expect(deliberation.denial.basis).toBe("unstable");
            expect(log).toHaveLength(3 * of.length);
          }
        },
      ),
      { numRuns: 500 },
    );
  });

  it("asks each about what the last change left", async () => {
    await fc.assert(
      fc.asyncProperty(rules(idempotent, restless), slow, small, async (of, slowly, args) => {
        const { log } = await folded(of, slowly, args);
        let current: JsonObject = args as unknown as JsonObject;
        for (const question of log) {
          assert.deepEqual({ ...question.args }, { ...current });
          current = question.made ?? current;
        }
      }),
    );
  });

  it("denies by a checker that the starting arguments fail and nobody changes", async () => {
    await fc.assert(
      fc.asyncProperty(rules(checks), slow, small, async (of, slowly, args) => {
        const { deliberation, log } = await folded(of, slowly, args);
        const first = of.findIndex((rule) => rule.kind === "check" && !rule.holds(args));
        expect(deliberation.denial?.reason).toBe(first < 0 ? undefined : `check-${first}`);
        expect(log).toHaveLength(first < 0 ? of.length : first + 1);
        expect(deliberation.modifiedBy).toEqual([]);
      }),
    );
  });

  it("is settled by idempotent modifiers that do not undo each other's work", async () => {
    await fc.assert(
      fc.asyncProperty(rules(idempotent), slow, small, async (of, slowly, args) => {
        const { deliberation } = await folded(of, slowly, args);
        expect(deliberation.denial).toBeUndefined();
        const final = deliberation.call.args as unknown as Small;
        for (const rule of of) {
          if (rule.kind === "change") assert.deepEqual({ ...rule.make(final) }, { ...final });
        }
      }),
    );
  });

  it("is never settled while one guard changes whatever it sees and another reads it", async () => {
    await fc.assert(
      fc.asyncProperty(rules(restless), slow, small, async (of, slowly, args) => {
        fc.pre(of.length > 1);
        const { deliberation, log } = await folded(of, slowly, args);
        expect(deliberation.denial?.basis).toBe("unstable");
        expect(log).toHaveLength(3 * of.length);
      }),
    );
  });

  it("says the same whoever answers by a promise, and waits only if one does", async () => {
    await fc.assert(
      fc.asyncProperty(
        rules(checks, idempotent, restless),
        slow,
        small,
        async (of, slowly, args) => {
          const one = await folded(of, slowly, args);
          const other = await folded(
            of,
            slowly.map(() => false),
            args,
          );
          assert.deepEqual(one.log, other.log);
          assert.deepEqual(one.deliberation.records, other.deliberation.records);
          assert.deepEqual(one.deliberation.modifiedBy, other.deliberation.modifiedBy);
          expect(one.deliberation.denial).toEqual(other.deliberation.denial);
          assert.deepEqual(one.deliberation.call.args, other.deliberation.call.args);
          expect(other.waited).toBe(false);
          expect(one.waited).toBe(one.log.some(({ who }) => slowly[who]));
        },
      ),
    );
  });

  it("records each answer once, in order, with who gave it", async () => {
    await fc.assert(
      fc.asyncProperty(
        rules(checks, idempotent, restless),
        slow,
        small,
        async (of, slowly, args) => {
          const { deliberation, log } = await folded(of, slowly, args);
          const unstable = deliberation.denial?.basis === "unstable" ? ["core"] : [];
          assert.deepEqual(
            deliberation.records.map(({ provider }) => provider),
            [...log.map(({ who }) => `guard-${who}`), ...unstable],
          );
          const changed = log.filter(
            ({ args: seen, made }) => made !== undefined && !isSame(seen, made),
          );
          assert.deepEqual(
            deliberation.modifiedBy,
            changed.map(({ who }) => `guard-${who}`),
          );
        },
      ),
    );
  });
});

function isSame(one: object, other: object): boolean {
  try {
    assert.deepEqual({ ...one }, { ...other });
    return true;
  } catch {
    return false;
  }
}

/** A way to put brackets round neighbours in a list, again and again. */
type Brackets = readonly (readonly [from: number, length: number])[];
const brackets: fc.Arbitrary<Brackets> = fc.array(
  fc.tuple(fc.nat(5), fc.integer({ min: 1, max: 4 })),
  {
    maxLength: 4,
  },
);

function nest(flat: readonly GuardrailProvider[], how: Brackets): readonly GuardrailProvider[] {
  let list = flat;
  for (const [from, length] of how) {
    const start = from % list.length;
    const inside = list.slice(start, start + length);
    list = [...list.slice(0, start), chain(inside), ...list.slice(start + length)];
  }
  return list;
}

describe("chains in chains", () => {
  it("decide, record, count and ask as if they were written flat", async () => {
    await fc.assert(
      fc.asyncProperty(
        rules(checks, idempotent, restless),
        slow,
        small,
        brackets,
        async (of, slowly, args, how) => {
          const flat: Question[] = [];
          const nested: Question[] = [];
          const one = new Deliberation(flatten(guards(of, slowly, flat)), "call", callOf(args));
          const other = new Deliberation(
            flatten(nest(guards(of, slowly, nested), how)),
            "call",
            callOf(args),
          );
          await one.run();
          await other.run();
          assert.deepEqual(nested, flat);
          assert.deepEqual(other.records, one.records);
          assert.deepEqual(other.modifiedBy, one.modifiedBy);
          expect(other.denial).toEqual(one.denial);
        },
      ),
      { numRuns: 300 },
    );
  });

  it("answer as providers what the flat chain answers", async () => {
    await fc.assert(
      fc.asyncProperty(
        rules(checks, idempotent, restless),
        slow,
        small,
        brackets,
        async (of, slowly, args, how) => {
          const call = foreignCall(args as unknown as JsonObject);
          const flat = await chain(guards(of, slowly, [])).evaluate(call);
          const nested = await chain(nest(guards(of, slowly, []), how)).evaluate(call);
          assert.deepEqual(nested, flat);
        },
      ),
    );
  });
});
