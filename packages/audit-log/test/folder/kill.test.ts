import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { auditLog, folder, readRecords, verifyFolder } from "../../src/index.js";
import { linesOf } from "../records.js";
import { temporaryPath } from "../temporary.js";

const writer = fileURLToPath(new URL("folder-writer.mjs", import.meta.url));
const command = [process.execPath, "--conditions=@toolstile/source", writer] as const;

interface Ended {
  readonly acknowledged: readonly string[];
  readonly said: string;
}

/** What a writer acknowledged before its end, which comes when it said enough or by itself. */
async function run(args: readonly string[], enough = Number.POSITIVE_INFINITY): Promise<Ended> {
  const [program = "", ...rest] = args;
  const child = spawn(program, rest, { stdio: ["ignore", "pipe", "pipe"] });
  let text = "";
  let said = "";
  child.stderr.on("data", (chunk) => {
    said += chunk;
  });
  child.stdout.on("data", (chunk) => {
    text += chunk;
    if (linesOf(text).length >= enough) child.kill("SIGKILL");
  });
  await once(child, "close");
  return { acknowledged: linesOf(text), said };
}

/** Opens the log once more, and expects all of it to be whole, and all that was acknowledged in it. */
async function expectAllIn(path: string, acknowledged: readonly string[]): Promise<void> {
  await auditLog({ sink: folder(path) }).close();
  const report = await verifyFolder(path, { key: `${path}.public.pem` });
  expect(report.firstBad).toBeUndefined();
  expect(report).toMatchObject({ ok: true });
  expect(report.chains).toHaveLength(1);
  const written = new Set<unknown>();
  for await (const { record } of readRecords(path)) written.add(record.runId);
  expect(acknowledged.filter((runId) => !written.has(runId))).toEqual([]);
}

it("P16 loses no acknowledged record of a folder to kill -9, and goes on with the same chain", {
  tags: "long",
}, async () => {
  const path = temporaryPath("audit");
  const acknowledged: string[] = [];
  for (const [round, count] of [1, 40, 300].entries()) {
    const ended = await run([...command, path, String(round)], count);
    acknowledged.push(...ended.acknowledged);
  }
  expect(acknowledged.length).toBeGreaterThan(340);
  await expectAllIn(path, acknowledged);
});

const canTrace =
  spawnSync("strace", ["-f", "-e", "trace=fdatasync", "true"], { stdio: "ignore" }).status === 0;

describe.skipIf(!canTrace)("under failing system calls (needs strace)", () => {
  const traced = (inject: string, path: string) => [
    "strace",
    "-f",
    "-qq",
    "-o",
    join(path, "..", "trace"),
    // It counts the calls of each thread.
    "-E",
    "UV_THREADPOOL_SIZE=1",
    "-e",
    "trace=fdatasync",
    "-e",
    `inject=fdatasync:${inject}`,
    ...command,
    path,
    "1",
    "20",
  ];

  it("P16 stops for good when a sync fails, and acknowledges nothing of it", async () => {
    const path = temporaryPath("audit");
    const { acknowledged, said } = await run(traced("error=EIO:when=3", path));
    expect(said).toContain("stopped for good: its sink failed with EIO");
    expect(acknowledged.length).toBeLessThan(320);
    await expectAllIn(path, acknowledged);
  });

  it.each([4, 9])("P16 loses nothing when it is killed at sync %i", async (when) => {
    const path = temporaryPath("audit");
    const { acknowledged } = await run(traced(`signal=SIGKILL:when=${when}`, path));
    expect(acknowledged.length).toBeLessThan(320);
    await expectAllIn(path, acknowledged);
  });
});
