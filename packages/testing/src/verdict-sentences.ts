import assert from "node:assert";
import { changed } from "./call.js";
import { inTime } from "./in-time.js";
import { plantedSentences } from "./planted-sentences.js";
import {
  answer,
  ask,
  freshGuard,
  type Kit,
  type Question,
  type Sentence,
  type Verdict,
} from "./question.js";
import { assertSame } from "./same-verdict.js";
import { assertSaysNone, secretsIn } from "./spoken-text.js";

/** The tests that every answer must pass, to a call or to a result. */
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
    needs: ["deterministic"],
    async check(kit) {
      const guard = await freshGuard(kit);
      const first: Verdict[] = [];
      for (const question of kit.questions) first.push(await answer(kit, guard, question));
      for (const [index, question] of [...kit.questions.entries()].reverse()) {
        const again = await answer(kit, guard, question);
        assertSame(again, first[index], question.where, "asked again in another order");
      }
      const atOnce = await Promise.all(kit.questions.map((each) => answer(kit, guard, each)));
      for (const [index, question] of kit.questions.entries()) {
        assertSame(atOnce[index], first[index], question.where, "asked beside others at once");
      }
    },
  },
  {
    name: "changes nothing in what it is asked, frozen or not",
    async check(kit) {
      const guard = await freshGuard(kit);
      for (const question of kit.questions) {
        await answer(kit, guard, question);
        const thawed = thaw(question);
        await inTime(kit.withinMs, () => ask(guard, thawed));
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
    name: "answers the same to a call that is not frozen",
    needs: ["deterministic"],
    async check(kit) {
      const guard = await freshGuard(kit);
      for (const question of kit.questions) {
        const verdict = await answer(kit, guard, question);
        const again = await inTime(kit.withinMs, () => ask(guard, thaw(question)));
        assertSame(again, verdict, question.where, "asked with a call that is not frozen");
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
  ...plantedSentences,
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

function thaw(question: Question): Question {
  const call = { ...question.call, ...structuredClone({ args: question.call.args }) };
  const tool = structuredClone(question.call.tool);
  return { ...question, call: { ...call, tool }, result: structuredClone(question.result) };
}
