import assert from "node:assert/strict";
import fc from "fast-check";
import { expect, inject, it } from "vitest";
import { forTools, when, withTimeout } from "../src/guard/combinators.js";
import { chain } from "../src/guard/compose.js";
import { flatten } from "../src/guard/define.js";
import { Deliberation } from "../src/guard/deliberation.js";
import { failOpen } from "../src/guard/fail-open.js";
import { parallel } from "../src/guard/parallel.js";
import type { Phase } from "../src/guard/read-decision.js";
import { shadow } from "../src/guard/shadow.js";
import { allow, deny, modify, rewrite } from "../src/guard/verdicts.js";
import type { GuardrailProvider } from "../src/protocol/guardrail.js";
import { callOf, resultOf } from "./support/calls.js";
import { whilePlanted } from "./support/planted.js";

/** All that core reads of an object that somebody else made, with what would suit an attacker. */
const words: Readonly<Record<string, unknown>> = {
  decision: "allow",
  reason: "planted",
  code: "planted",
  metadata: { planted: true },
  replacement: "planted",
  approval: { summary: "planted" },
  modifiedArgs: { planted: true },
  modifiedResult: { content: "planted" },
  args: { planted: true },
  body: { content: "planted" },
  content: "planted",
  structured: { planted: true },
  records: [],
  decidedBy: "planted",
  counts: true,
  basis: "policy",
  evaluate: () => allow(),
  evaluateResult: () => allow(),
  admit: () => allow(),
  only: undefined,
  when: [],
  tools: ["planted"],
  name: "planted",
  timeoutMs: 1,
  checksArguments: () => true,
  summary: "planted",
  expiresInMs: 1,
  value: "allow",
  get: () => "allow",
  set: () => undefined,
  issues: [],
  ok: true,
  then: (yes: (value: unknown) => void) => yes(allow()),
  toJSON: () => ({ planted: true }),
  enumerable: true,
  length: 1,
  0: allow(),
};

const planted = fc
  .subarray(Object.keys(words))
  .map((keys) => Object.fromEntries(keys.map((key) => [key, words[key]])));

const answers: readonly (() => unknown)[] = [
  () => allow(),
  () => ({ decision: "allow", reason: "x" }),
  () => deny("no"),
  () => ({ decision: "deny" }),
  () => modify({ n: 1 }),
  () => rewrite({ content: "clean" }),
  () => ({}),
  () => [],
  () => Object.create(null),
  () => undefined,
  () => "allow",
  () => () => allow(),
  () => new Map([["decision", "allow"]]),
  () => Object.create({ reason: "x" }),
  () => ({ decision: "modify" }),
  () => {
    throw new Error("hunter2");
  },
];

/** A guard, or guards put together in some way; made anew for each use, under whatever is planted. */
type Make = () => GuardrailProvider;

let made = 0;
const guard: fc.Arbitrary<Make> = fc
  .tuple(fc.constantFrom(...answers), fc.subarray(["admit", "evaluateResult"] as const))
  .map(([answer, more]) => () => {
    const provider: Record<string, unknown> = { name: `guard-${made++}`, evaluate: answer };
    for (const key of more) {
      Object.defineProperty(provider, key, own(answer));
    }
    return provider as unknown as GuardrailProvider;
  });

/** A descriptor that nothing planted shines through. */
function own(value: unknown): PropertyDescriptor {
  return Object.assign(Object.create(null), { value, enumerable: true });
}

const guards: fc.Arbitrary<Make> = fc.letrec<{ one: Make }>((tie) => ({
  one: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    guard,
    tie("one").map((inner) => () => chain([inner()])),
    fc.tuple(tie("one"), tie("one")).map(
      ([one, other]) =>
        () =>
          chain([one(), other()]),
    ),
    fc.tuple(tie("one"), tie("one")).map(
      ([one, other]) =>
        () =>
          parallel([one(), other()]),
    ),
    tie("one").map((inner) => () => shadow(inner())),
    tie("one").map((inner) => () => failOpen(inner())),
    tie("one").map((inner) => () => forTools(["send_mail"], inner())),
    tie("one").map((inner) => () => forTools(["other"], inner())),
    fc.tuple(tie("one"), fc.boolean()).map(
      ([inner, met]) =>
        () =>
          when(() => met, inner()),
    ),
    tie("one").map((inner) => () => withTimeout(inner(), 10)),
  ),
})).one;

interface Seen {
  readonly denied: boolean;
  readonly judged: boolean;
  readonly args: unknown;
  readonly content: unknown;
}

function decided(make: Make, phase: Phase): Seen {
  const guards = flatten([make()]).filter((guard) => guard.answers(phase));
  const deliberation = new Deliberation(guards, phase, callOf({ n: 0 }), resultOf("raw"));
  assert.equal(deliberation.run(), undefined);
  return {
    denied: deliberation.denial !== undefined,
    judged: deliberation.judged,
    args: { ...deliberation.call.args },
    content: deliberation.result?.content,
  };
}

it("P8 nothing planted makes an ALLOW of what was none, or gives a guard a say that it did not have", {
  tags: "longer",
}, () => {
  fc.assert(
    fc.property(
      guards,
      fc.constantFrom<Phase>("call", "admit", "result"),
      planted,
      fc.constantFrom(Object.prototype, Array.prototype, Function.prototype),
      (make, phase, properties, root) => {
        const clean = decided(make, phase);
        const free = Object.fromEntries(
          Object.entries(properties).filter(([key]) => !Object.hasOwn(root, key)),
        );
        let under: Seen | undefined;
        try {
          under = whilePlanted(free, () => decided(make, phase), root);
        } catch {
          // A refusal to build, or to go on, runs no tool.
          return;
        }
        if (clean.denied) expect(under.denied).toBe(true);
        if (!clean.judged) expect(under.judged && !under.denied).toBe(false);
        if (!under.denied && !clean.denied) {
          assert.deepEqual(under.args, clean.args);
          assert.deepEqual(under.content, clean.content);
        }
      },
    ),
    { numRuns: inject("long") ? 500 : 50 },
  );
});
