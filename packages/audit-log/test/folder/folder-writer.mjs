// Writes records to a folder until it is killed or told to stop, and says of each that it was acknowledged.
import { register } from "node:module";

register(new URL("../../../../scripts/typescript-hooks.mjs", import.meta.url));
const { auditLog, folder } = await import("../../src/index.ts");
const { settledCall } = await import("../calls.ts");

const [path, round, limit = "Infinity"] = process.argv.slice(2);
const log = auditLog({ sink: folder(path, { maxSegmentBytes: 100_000, checkpointEvery: 500 }) });
async function caller(name) {
  for (let index = 0; index < Number(limit); index++) {
    const runId = `${round}-${name}-${index}`;
    await log.settle(settledCall({ runId }));
    process.stdout.write(`${runId}\n`);
  }
}
const callers = Array.from({ length: 16 }, (_, index) => caller(`caller${index}`));
const failed = (await Promise.allSettled(callers)).find(({ status }) => status === "rejected");
if (failed !== undefined) process.stderr.write(`${failed.reason.message}\n`);
await log.close().catch(() => {});
