import { allow, type GuardrailProvider } from "@toolstile/core";
import { expect } from "vitest";
import type { ParityCase } from "../parity-case.js";
import { asks } from "../scene.js";

const deletion = asks("c1", "delete_record", { id: "7" });
const secret = "password hunter2";

/** A guard that does not do its work: nothing runs, and what it said is not told. */
function failing(
  claim: string,
  basis: string,
  evaluate: () => unknown,
  timeoutMs?: number,
): ParityCase {
  return {
    claim,
    neverRuns: ["delete_record"],
    holds: async (scene, seam) => {
      const guard = scene.guard("failing", evaluate as GuardrailProvider["evaluate"]);
      const guardrails = [scene.allowing("allowing"), guard];
      const report = await scene.play(seam, { calls: [deletion], guardrails, timeoutMs });
      expect(scene.ran).toEqual([]);
      expect(scene.endings).toEqual({ c1: `denied ${basis}` });
      expect(String(report.rejected)).toBe("undefined");
      expect(report.read.get("c1")).toContain("Tool call denied: ");
      expect(report.read.get("c1")).not.toContain(secret);
    },
  };
}

export const failingGuards = {
  guardThrows: failing(
    "denies a call whose guard throws, and tells the model no more",
    "error",
    () => {
      throw new Error(secret);
    },
  ),
  guardRejects: failing("denies a call whose guard rejects", "error", () =>
    Promise.reject(new Error(secret)),
  ),
  guardHangs: failing(
    "denies a call whose guard never answers",
    "timeout",
    () => new Promise(() => {}),
    10,
  ),
  guardGarbage: failing(
    "denies a call whose guard answers what is no decision",
    "malformed",
    () => ({
      decision: "maybe",
      reason: secret,
    }),
  ),
  judgeThrows: {
    claim: "withholds a result whose judge throws",
    holds: async (scene, seam) => {
      scene.answer("search", () => secret);
      const judge: GuardrailProvider = {
        name: "judge",
        evaluate: () => allow(),
        evaluateResult: () => {
          throw new Error(secret);
        },
      };
      const calls = [asks("c1", "search", { query: "tea" })];
      const report = await scene.play(seam, { calls, guardrails: [judge] });
      expect(scene.endings).toEqual({ c1: "withheld error" });
      expect(report.read.get("c1")).toContain("Tool result withheld: ");
      expect(report.read.get("c1")).not.toContain(secret);
    },
  },
  observerFails: {
    claim: "runs nothing where a required observer cannot write the intent",
    neverRuns: ["delete_record"],
    holds: async (scene, seam) => {
      const observer = {
        name: "broken",
        required: true,
        intent: () => Promise.reject(new Error(secret)),
        settle: () => {},
      };
      const observers = [scene.observer, observer];
      const report = await scene.play(seam, { calls: [deletion], observers });
      expect(scene.ran).toEqual([]);
      expect(scene.endings).toEqual({ c1: "denied audit" });
      expect(report.read.get("c1")).toContain("Tool call denied: ");
      expect(report.read.get("c1")).not.toContain(secret);
    },
  },
} satisfies Record<string, ParityCase>;
