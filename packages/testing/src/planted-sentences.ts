import assert from "node:assert";
import { inTime } from "./in-time.js";
import { plantedData, plantedHint, whilePlanted } from "./planted-data.js";
import {
  answer,
  ask,
  freshGuard,
  type Kit,
  type Question,
  type Sentence,
  type Verdict,
} from "./question.js";
import { differenceOf, isSame } from "./same-verdict.js";

/** The guard's answer while data was planted, or none if it threw or was late. */
type Polluted = { readonly verdict: Verdict } | { readonly failed: true };

/** The tests that must pass while somebody else's data is on `Object.prototype`. */
export const plantedSentences: readonly Sentence[] = [
  {
    name: "answers the same while data is planted on Object.prototype",
    needs: ["offline", "deterministic"],
    async check(kit) {
      const guard = await freshGuard(kit);
      for (const question of kit.questions) {
        const before = await answer(kit, guard, question);
        await assertUnmoved(
          kit,
          question,
          () => ask(guard, question),
          (polluted) => {
            if ("failed" in polluted) return "it throws, or answers too late";
            if (isSame(polluted.verdict, before)) return undefined;
            return `it answers ${differenceOf(polluted.verdict, before)}`;
          },
        );
      }
    },
  },
  {
    name: "lets nothing more through when it is made while data is planted on Object.prototype",
    async check(kit) {
      for (const question of kit.questions) {
        if (question.expected === "allow") continue;
        await assertUnmoved(
          kit,
          question,
          async () => ask(await freshGuard(kit), question),
          // Failing is safe: a guard that cannot be made, or that throws, lets nothing through.
          (polluted) =>
            "failed" in polluted || polluted.verdict.decision !== "allow"
              ? undefined
              : `when it is made, it answers allow instead of ${question.expected}`,
        );
      }
    },
  },
];

/** Fail if planted data moves the guard, and name the member that does, where one alone is enough. */
async function assertUnmoved(
  kit: Kit,
  { where }: Question,
  act: () => Promise<Verdict>,
  movedBy: (polluted: Polluted) => string | undefined,
): Promise<void> {
  const planted = plantedData(kit.questions.map((question) => question.call.args));
  const tried = async (data: ReadonlyMap<string, unknown>): Promise<string | undefined> =>
    movedBy(
      await whilePlanted(data, () => inTime(kit.withinMs, act)).then(
        (verdict) => ({ verdict }),
        () => ({ failed: true }),
      ),
    );
  const moved = await tried(planted);
  if (moved === undefined) return;
  for (const [key, value] of planted) {
    const alone = await tried(new Map([[key, value]]));
    if (alone === undefined) continue;
    assert.fail(
      `${where}: with Object.prototype.${key} planted ${alone}. ${plantedHint(key, kit.questions)}`,
    );
  }
  assert.fail(
    `${where}: with data planted on Object.prototype ${moved}. Read everything by own property, with Object.hasOwn.`,
  );
}
