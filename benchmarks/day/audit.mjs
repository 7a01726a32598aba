// Records of calls, 64 at a time, into a folder that rotates and removes its old segments.
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { auditLog, folder, verifyFolder } from "@toolstile/audit-log";
import { allowAll, ToolRunner } from "@toolstile/core";

const atOnce = 64;

export const part = {
  name: "audit records",
  total: 1_000_000,
  async start() {
    const place = await mkdtemp(join(tmpdir(), "toolstile-day-"));
    const path = join(place, "audit");
    const log = auditLog({
      sink: folder(path, {
        durability: "batched",
        maxSegmentBytes: 8 << 20,
        retention: { maxSegments: 4 },
      }),
    });
    const tool = { name: "search", execute: () => "found" };
    const runner = new ToolRunner({ tools: [tool], guardrails: [allowAll()], observers: [log] });
    return {
      files: async () => (await readdir(path)).length,
      async run(count) {
        let left = count;
        const caller = async () => {
          while (left-- > 0) {
            await runner.run(
              { name: "search", arguments: { q: "tea" } },
              { context: { sessionId: `session_${left % 1_000}` } },
            );
          }
        };
        await Promise.all(Array.from({ length: atOnce }, caller));
      },
      async close() {
        await log.close();
        const { ok } = await verifyFolder(path);
        if (!ok) throw new Error("The audit log does not verify.");
        await rm(place, { recursive: true });
        await rm(`${path}.key`, { force: true });
      },
    };
  },
};
