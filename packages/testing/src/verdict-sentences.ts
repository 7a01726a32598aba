import assert from "node:assert";
import { isDeepStrictEqual } from "node:util";
import { changed } from "./call.js";
import { inTime } from "./in-time.js";
import { asJson } from "./json-shape.js";
import { plantedData, whilePlanted } from "./planted-data.js";
import {
  answer,
  ask,
  freshGuard,
  type Kit,
  type Question,
  type Sentence,
  type Verdict,
} from "./question.js";
import { assertSaysNone, secretsIn } from "./spoken-text.js";

/** What must hold of every answer, to a call or to a result. */
export const verdictSentences: readonly Sentence[] = [
  {
    name: "answers every question in time and in one of the known shapes",
    async check(kit) {
      const guard = await freshGuard(kit);
      for (const question of kit.questions) await answer(kit, guard, question);
    },
  },
  {
    name: "says no value of the arguments or the result",
    async check(kit) {
      const guard = await freshGuard(kit);
      for (const question of kit.questions) {
        const verdict = await answer(kit, guard, question);
        assertSaysNone(verdict, secretsIn(question), question.where);
      }
    },
  },
  {
    name: "answers the same when asked again, in another order and at once",
    async check(kit) {
      const guard = await freshGuard(kit);
      const first: Verdict[] = [];
      for (const question of kit.questions) first.push(await answer(kit, guard, question));
      for (const [index, question] of [...kit.questions.entries()].reverse()) {
        assertSame(await answer(kit, guard, question), first[index], question.where);
      }
      const atOnce = await Promise.all(kit.questions.map((each) => answer(kit, guard, each)));
      for (const [index, question] of kit.questions.entries()) {
        assertSame(atOnce[index], first[index], question.where);
      }
    },
  },
  {
    name: "changes nothing in what it is asked, frozen or not",
    async check(kit) {
      const guard = await freshGuard(kit);
      for (const question of kit.questions) {
        const verdict = await answer(kit, guard, question);
        const thawed = thaw(question);
        const again = await inTime(kit.withinMs, () => ask(guard, thawed));
        assertSame(again, verdict, question.where);
        const { args, tool } = question.call;
        assert.deepStrictEqual(thawed.call.args, args, `${question.where}: it changed args.`);
        assert.deepStrictEqual(thawed.call.tool, tool, `${question.where}: it changed the tool.`);
        assert.deepStrictEqual(
          thawed.result,
          question.result,
          `${question.where}: it changed the result.`,
        );
      }
    },
  },
  {
    name: "settles when the call is aborted, and lets nothing more through",
    async check(kit) {
      for (const question of kit.questions) {
        await assertAborted(kit, question, "before");
        await assertAborted(kit, question, "meanwhile");
      }
    },
  },
  {
    name: "answers the same while data is planted on Object.prototype",
    async check(kit) {
      const guard = await freshGuard(kit);
      const planted = plantedData(kit.questions.map((question) => question.call.args));
      for (const question of kit.questions) {
        const verdict = await answer(kit, guard, question);
        const polluted = await whilePlanted(planted, () =>
          inTime(kit.withinMs, () => ask(guard, question)),
        );
        assertSame(polluted, verdict, question.where);
      }
    },
  },
  {
    name: "lets nothing more through when it is made while data is planted on Object.prototype",
    async check(kit) {
      const planted = plantedData(kit.questions.map((question) => question.call.args));
      for (const question of kit.questions) {
        if (question.expected === "allow") continue;
        // Failing is safe: a guard that cannot be made, or that throws, lets nothing through.
        const verdict = await whilePlanted(planted, async () => {
          const guard = await freshGuard(kit);
          return inTime(kit.withinMs, () => ask(guard, question));
        }).catch(() => undefined);
        if (verdict === undefined) continue;
        assert.notEqual(verdict.decision, "allow", `${question.where}: it allows.`);
      }
    },
  },
];

/** An aborted question may be answered or rejected: neither runs a tool. It may not hang, nor turn into an ALLOW. */
async function assertAborted(kit: Kit, question: Question, when: "before" | "meanwhile") {
  const guard = await freshGuard(kit);
  const controller = new AbortController();
  if (when === "before") controller.abort();
  const call = changed(question.call, { signal: controller.signal });
  const verdict = await inTime(kit.withinMs, async () => {
    const asked = ask(guard, { ...question, call });
    controller.abort();
    return asked.catch(() => undefined);
  });
  if (verdict === undefined || question.expected === "allow") return;
  assert.notEqual(
    verdict.decision,
    "allow",
    `${question.where}: aborted ${when}, it allows what it should ${question.expected}.`,
  );
}

/** Compare all that a caller acts on. Metadata may hold a time. */
function assertSame(actual: Verdict | undefined, expected: Verdict | undefined, where: string) {
  const same = isDeepStrictEqual(actedOn(actual), actedOn(expected));
  assert.ok(same, `${where}: the answer differs from the one before.`);
}

function actedOn(verdict: Verdict | undefined): unknown {
  return asJson({ ...verdict, metadata: undefined });
}

function thaw(question: Question): Question {
  const call = { ...question.call, ...structuredClone({ args: question.call.args }) };
  const tool = structuredClone(question.call.tool);
  return { ...question, call: { ...call, tool }, result: structuredClone(question.result) };
}
