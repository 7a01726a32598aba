import assert from "node:assert";
import type { Allow, Deny, ToolCall } from "@toolstile/core";
import type { Awaitable } from "@toolstile/core/provider";
import { changed } from "./call.js";
import { inTime } from "./in-time.js";
import { outcome } from "./outcome.js";
import { freshGuard, type Guard, type Kit, type Question, type Sentence } from "./question.js";
import { assertVerdict } from "./verdict-shape.js";

/** The number of calls that are tried: a limit above it counts as none. */
const most = 64;

/** The tests that `admit` and `settle` must pass, whatever they count. */
export const admissionSentences: readonly Sentence[] = [
  {
    name: "is told how every call ended, whatever became of it",
    async check(kit) {
      const guard = await freshGuard(kit);
      for (const { call } of kit.questions) {
        for (const status of ["executed", "failed", "withheld", "denied", "unknown"] as const) {
          const run = anotherRun(call);
          await admitted(kit, guard, run);
          await assertSettles(kit, guard, run, status);
        }
        // An invalid call was never asked about and has no arguments.
        const { args: _, signal: __, ...head } = anotherRun(call);
        await assert.doesNotReject(async () => {
          await inTime(kit.withinMs, () => guard.settle?.(head, outcome(call, "invalid")));
        });
      }
    },
  },
  {
    name: "admits no more after a settle that was stray or repeated",
    needs: ["fresh"],
    async check(kit) {
      const question = kit.questions.find(({ expected }) => expected === "allow");
      const call = (question ?? (kit.questions[0] as Question)).call;
      const fresh = await countAdmitted(kit, await freshGuard(kit), call);

      const settled = await freshGuard(kit);
      for (let stray = 0; stray < most; stray++) {
        await assertSettles(kit, settled, anotherRun(call), "denied");
      }
      const run = anotherRun(call);
      await admitted(kit, settled, run);
      for (let repeat = 0; repeat < 3; repeat++) await assertSettles(kit, settled, run, "denied");
      const after = await countAdmitted(kit, settled, call);
      assert.ok(after <= fresh, `It admits ${after} calls, and ${fresh} when fresh.`);
    },
  },
];

async function admitted(kit: Kit, guard: Guard, call: ToolCall): Promise<boolean> {
  if (guard.admit === undefined) return true;
  const admit = guard.admit as (call: ToolCall) => Awaitable<Allow | Deny>;
  const verdict = await inTime(kit.withinMs, () => admit(call));
  assertVerdict(verdict, "admit", "admit");
  return verdict.decision === "allow";
}

async function assertSettles(
  kit: Kit,
  guard: Guard,
  call: ToolCall,
  status: "executed" | "failed" | "withheld" | "denied" | "unknown",
): Promise<void> {
  const answer: unknown = await inTime(kit.withinMs, () =>
    guard.settle?.(call, outcome(call, status)),
  );
  assert.equal(answer, undefined, "settle decides nothing, so it answers nothing.");
}

async function countAdmitted(kit: Kit, guard: Guard, call: ToolCall): Promise<number> {
  let count = 0;
  while (count < most && (await admitted(kit, guard, anotherRun(call)))) count++;
  return count;
}

function anotherRun(call: ToolCall): ToolCall {
  return changed(call, { run: {}, runId: undefined, callId: undefined });
}
