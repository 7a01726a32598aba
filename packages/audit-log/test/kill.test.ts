import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { auditLog, jsonLines, verify } from "../src/index.js";
import { callRecords, linesOf } from "./records.js";
import { temporaryPath } from "./temporary.js";

const writer = fileURLToPath(new URL("endless-writer.mjs", import.meta.url));

/** The records that a writer acknowledged before it was killed in the midst of it. */
async function killedAfter(
  acknowledgements: number,
  path: string,
  round: number,
): Promise<string[]> {
  const child = spawn(
    process.execPath,
    ["--conditions=@toolstile/source", writer, path, String(round)],
    { stdio: ["ignore", "pipe", "inherit"] },
  );
  let said = "";
  child.stdout.on("data", (chunk) => {
    said += chunk;
    if (linesOf(said).length >= acknowledgements) child.kill("SIGKILL");
  });
  const [, signal] = await once(child, "close");
  expect(signal).toBe("SIGKILL");
  return linesOf(said);
}

it("P16 loses no acknowledged record to kill -9, and goes on with the same chain", {
  tags: "long",
}, async () => {
  const path = temporaryPath();
  const acknowledged: string[] = [];
  for (const [round, count] of [1, 60, 900].entries()) {
    acknowledged.push(...(await killedAfter(count, path, round)));
    // Whatever the kill left: a torn line at most, never a bad one.
    expect((await verify(path)).firstBad).toBeUndefined();
  }
  await auditLog({ sink: jsonLines(path) }).close();
  expect(await verify(path)).toMatchObject({ ok: true, kinds: { head: 4 } });
  const written = new Set(
    callRecords(linesOf(readFileSync(path, "utf8"))).map(({ runId }) => runId),
  );
  expect(acknowledged.length).toBeGreaterThan(960);
  expect(acknowledged.filter((runId) => !written.has(runId))).toEqual([]);
});
