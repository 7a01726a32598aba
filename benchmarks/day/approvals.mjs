// Approvals in a folder: of three that are asked, one is approved and used, one is denied, one expires.
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { approvals, fileStore } from "@toolstile/approval";
import { deny, ToolRunner } from "@toolstile/core";

export const part = {
  name: "approvals asked, answered and expired",
  total: 100_000,
  async start() {
    const folder = await mkdtemp(join(tmpdir(), "toolstile-day-"));
    let now = Date.now();
    const clock = { now: () => now, setTimeout, clearTimeout };
    const approver = approvals({ store: fileStore(folder), clock, maxPending: 50_000 });
    const tool = { name: "transfer", execute: () => "sent" };
    const guard = {
      name: "limits",
      evaluate: () => deny("above 100", { approval: { summary: "A large transfer" } }),
    };
    const runner = new ToolRunner({ tools: [tool], guardrails: [guard], approver });
    let number = 0;
    return {
      folder,
      files: async () => (await readdir(folder)).length,
      async run(count) {
        for (const end = number + count; number < end; number++) {
          const asked = await runner.run({ name: "transfer", arguments: { amount: 101 + number } });
          const id = asked.approvalId;
          if (id === undefined) throw new Error(`An approval was not asked: ${asked.reason}`);
          if (number % 3 === 2) continue;
          const decision = number % 3 === 0 ? "approved" : "denied";
          await approver.answer(id, { decision, by: "ann@example.com" });
          if (decision === "denied") continue;
          const { status } = await runner.resume(id);
          if (status !== "executed") throw new Error(`An approved call was ${status}.`);
        }
        now += 15 * 60_000 + 1;
      },
      async close() {
        await approver.close?.();
        await rm(folder, { recursive: true });
      },
    };
  },
};
