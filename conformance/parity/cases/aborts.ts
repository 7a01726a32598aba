import { setTimeout } from "node:timers/promises";
import { allow } from "@toolstile/core";
import { expect } from "vitest";
import type { ParityCase } from "../parity-case.js";
import { asks } from "../scene.js";

const deletion = asks("c1", "delete_record", { id: "7" });

export const aborts = {
  abortBefore: {
    claim: "runs nothing where the caller has left before",
    neverRuns: ["delete_record"],
    holds: async (scene, seam) => {
      const report = await scene.play(seam, { calls: [deletion], signal: AbortSignal.abort() });
      expect(scene.ran).toEqual([]);
      expect(report.read.get("c1") ?? "").not.toBe("delete_record: done");
    },
  },
  abortWhileDeciding: {
    claim: "runs nothing where the caller leaves while a guard decides",
    neverRuns: ["delete_record"],
    holds: async (scene, seam) => {
      const caller = new AbortController();
      const guard = scene.guard("slow", async () => {
        caller.abort();
        return allow();
      });
      await scene.play(seam, { calls: [deletion], guardrails: [guard], signal: caller.signal });
      expect(scene.ran).toEqual([]);
      await expect.poll(() => scene.endings).toEqual({ c1: "aborted" });
    },
  },
  abortWhileRunning: {
    claim: "tells the tool where the caller leaves while it runs, and settles the call",
    holds: async (scene, seam) => {
      const caller = new AbortController();
      const told = new Promise((resolve) => {
        scene.answer("delete_record", async (_, signal) => {
          const left = new Promise((abort) => signal?.addEventListener("abort", abort));
          caller.abort();
          await left;
          resolve("told");
          return "too late";
        });
      });
      const report = await scene.play(seam, { calls: [deletion], signal: caller.signal });
      expect(await Promise.race([told, setTimeout(1_000, "not told in a second")])).toBe("told");
      await expect.poll(() => scene.endings).toEqual({ c1: "aborted" });
      expect(report.read.get("c1")).not.toBe("too late");
    },
  },
  abortAfter: {
    claim: "leaves a call that is over as it is where the caller leaves after",
    holds: async (scene, seam) => {
      const caller = new AbortController();
      const report = await scene.play(seam, { calls: [deletion], signal: caller.signal });
      caller.abort();
      expect(scene.endings).toEqual({ c1: "executed" });
      expect(report.read.get("c1")).toBe("delete_record: done");
    },
  },
} satisfies Record<string, ParityCase>;
