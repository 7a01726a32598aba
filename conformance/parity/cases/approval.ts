import { approvals, memoryStore } from "@toolstile/approval";
import { deny } from "@toolstile/core";
import { expect } from "vitest";
import type { ParityCase } from "../parity-case.js";
import { asks, type Scene } from "../scene.js";
import type { Report, Seam, Turn } from "../seam.js";

const deletion = asks("c1", "delete_record", { id: "7" });

const facts = { context: { sessionId: "s1" } };

/** A deletion that a human may allow, asked for and not answered. */
async function pending(scene: Scene, seam: Seam, describe: Turn["describe"] = () => facts) {
  const approver = approvals({ store: memoryStore() });
  const guard = scene.guard("large", () =>
    deny("records stay", { code: "record", approval: { summary: "Delete a record" } }),
  );
  const turn = { calls: [deletion], guardrails: [guard], approver, describe };
  const report: Report = await scene.play(seam, turn);
  const { records } = await approver.list();
  return { approver, report, records };
}

export const approval = {
  approvalPending: {
    claim: "runs nothing while nobody has answered for it",
    neverRuns: ["delete_record"],
    holds: async (scene, seam) => {
      const { records } = await pending(scene, seam);
      expect(scene.ran).toEqual([]);
      expect(records.map(({ question }) => question.args)).toEqual([{ id: "7" }]);
    },
  },
  approvalResumed: {
    claim: "runs once what was approved, with the arguments that were",
    holds: async (scene, seam) => {
      const { approver, report, records } = await pending(scene, seam);
      await approver.answer(records[0]?.id ?? "", { decision: "approved", by: "ann" });
      const resumed = await report.resume?.();
      expect(scene.ran).toEqual([{ name: "delete_record", args: { id: "7" } }]);
      expect(resumed?.read.get("c1")).toBe("delete_record: done");
      expect(scene.record("c1").outcome?.runId).toBe(records[0]?.question.runId);
      // The grant is used: nothing lets the call run a second time.
      await report.resume?.().catch(() => {});
      expect(scene.ranNames).toEqual(["delete_record"]);
    },
  },
  approvalOtherTrace: {
    claim: "runs once what was approved where the request that comes back is another trace",
    holds: async (scene, seam) => {
      let traces = 0;
      const { approver, report, records } = await pending(scene, seam, () => ({
        context: { ...facts.context, traceparent: `trace ${traces++}` },
      }));
      await approver.answer(records[0]?.id ?? "", { decision: "approved", by: "ann" });
      const resumed = await report.resume?.();
      expect(scene.ran).toEqual([{ name: "delete_record", args: { id: "7" } }]);
      expect(resumed?.read.get("c1")).toBe("delete_record: done");
    },
  },
  approvalDenied: {
    claim: "runs nothing that was refused",
    neverRuns: ["delete_record"],
    holds: async (scene, seam) => {
      const { approver, report, records } = await pending(scene, seam);
      await approver.answer(records[0]?.id ?? "", { decision: "denied", by: "ann" });
      await report.resume?.().catch(() => {});
      expect(records).toHaveLength(1);
      expect(scene.ran).toEqual([]);
    },
  },
} satisfies Record<string, ParityCase>;
