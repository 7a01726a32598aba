// Writes one record to a folder that syncs days later, and comes to its end without closing it.
import { register } from "node:module";

register(new URL("../../../../scripts/typescript-hooks.mjs", import.meta.url));
const { auditLog, folder } = await import("../../src/index.ts");
const { settledCall } = await import("../calls.ts");

const [path] = process.argv.slice(2);
const sink = folder(path, { durability: "batched", syncAfterMs: 2 ** 31 - 1 });
await auditLog({ sink }).settle(settledCall({ runId: "run-1" }));
