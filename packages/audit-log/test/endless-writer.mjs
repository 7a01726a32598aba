// Writes records until it is killed, and says of each that it was acknowledged.
import { register } from "node:module";

register(new URL("../../../scripts/typescript-hooks.mjs", import.meta.url));
const { auditLog, jsonLines } = await import("../src/index.ts");
const { settledCall } = await import("./calls.ts");

const [path, round] = process.argv.slice(2);
const log = auditLog({ sink: jsonLines(path) });
async function caller(name) {
  for (let index = 0; ; index++) {
    const runId = `${round}-${name}-${index}`;
    await log.settle(settledCall({ runId, context: { sessionId: name } }));
    process.stdout.write(`${runId}\n`);
  }
}
for (let index = 0; index < 16; index++) caller(`caller${index}`);
