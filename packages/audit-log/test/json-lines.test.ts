import { spawnSync } from "node:child_process";
import {
  appendFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { hostname } from "node:os";
import { dirname, join, resolve } from "node:path";
import { ToolstileError } from "@toolstile/core";
import { resolvedPath } from "@toolstile/core/files";
import { describe, expect, it } from "vitest";
import { type AuditLog, auditLog, jsonLines, verify } from "../src/index.js";
import { settledCall } from "./calls.js";
import { Disk } from "./disk.js";
import { callRecords, linesOf, records } from "./records.js";
import { temporaryPath } from "./temporary.js";

const call = (index: number) => settledCall({ runId: `run-${index}` });
const linesAt = (path: string) => linesOf(readFileSync(path, "utf8"));

async function write(path: string, ...runs: number[]): Promise<void> {
  const log = auditLog({ sink: jsonLines(path) });
  await Promise.all(runs.map((run) => log.settle(call(run))));
  await log.close();
}

/** An audit log on a disk that the test has in hand. */
function onDisk(disk: Disk, path = temporaryPath()): AuditLog {
  return auditLog({ sink: jsonLines(path, { openFile: () => disk }) });
}

describe("jsonLines", () => {
  it("appends a line a record, to a file that only its owner may read", async () => {
    const path = temporaryPath();
    await write(path, 1, 2);
    expect(callRecords(linesAt(path)).map(({ runId }) => runId)).toEqual(["run-1", "run-2"]);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(await verify(path)).toMatchObject({ ok: true, records: 3 });
  });

  it("names every file that it makes, beside the file that a link leads to", async () => {
    const path = temporaryPath();
    const link = temporaryPath("link.jsonl");
    symlinkSync(path, link);
    const sink = jsonLines(link);
    const log = auditLog({ sink });
    const made = readdirSync(dirname(path)).map((name) => join(dirname(path), name));
    expect(made.length).toBe(3);
    expect(sink.files).toEqual(expect.arrayContaining(made));
    expect(sink.keyFile).toBe(`${path}.key`);
    await log.close();
  });

  it("goes on with the chain of a file that is there", async () => {
    const path = temporaryPath();
    await write(path, 1);
    await write(path, 2);
    const found = records(linesAt(path));
    expect(found.map(({ seq, kind }) => [seq, kind])).toEqual([
      [1, "head"],
      [2, "outcome"],
      [3, "head"],
      [4, "outcome"],
    ]);
    expect(
      new Set(found.filter(({ kind }) => kind === "head").map(({ writer }) => writer)).size,
    ).toBe(2);
    expect((await verify(path)).ok).toBe(true);
  });

  it("makes a key file beside the log, for its owner only, and uses it again", async () => {
    const path = temporaryPath();
    await write(path, 1);
    const key = readFileSync(`${path}.key`);
    expect(key).toHaveLength(32);
    expect(statSync(`${path}.key`).mode & 0o777).toBe(0o600);
    await write(path, 2);
    expect(readFileSync(`${path}.key`)).toEqual(key);
    const digests = callRecords(linesAt(path)).map((record) => record.digests.asked);
    expect(new Set(digests).size).toBe(1);
  });

  it.each(["beside the log", "that it was given"])("names the file of a short key %s", (place) => {
    const path = temporaryPath();
    const key = place === "beside the log" ? undefined : `${path}.other`;
    const file = key ?? `${path}.key`;
    writeFileSync(file, Buffer.alloc(31));
    expect(() => auditLog({ sink: jsonLines(path), key })).toThrow(
      `auditLog(): the key file ${resolvedPath(file)} must have at least 32 random bytes, received 31.`,
    );
  });

  it("P16 cuts a torn last line and records how many bytes that were, wherever it was torn", {
    tags: "long",
  }, async () => {
    const path = temporaryPath();
    await write(path, 1, 2);
    const whole = readFileSync(path);
    const start = whole.lastIndexOf("\n", -2) + 1;
    for (let end = start + 1; end < whole.length; end++) {
      writeFileSync(path, whole.subarray(0, end));
      expect((await verify(path)).torn).toEqual({ line: 3, bytes: end - start });
      await auditLog({ sink: jsonLines(path) }).close();
      const report = await verify(path);
      expect(report).toMatchObject({ ok: true, kinds: { head: 2, outcome: 1, repair: 1 } });
      expect(records(linesAt(path)).at(-1)).toMatchObject({
        kind: "repair",
        cutBytes: end - start,
      });
    }
  });

  it("begins anew when the very first line was torn", async () => {
    const path = temporaryPath();
    writeFileSync(path, '{"seq":1,"prev":"000');
    await write(path, 1);
    expect(records(linesAt(path)).map(({ kind }) => kind)).toEqual(["head", "repair", "outcome"]);
    expect((await verify(path)).ok).toBe(true);
  });

  it("P16 does not cut, or append to, a log whose last whole line was changed", async () => {
    const path = temporaryPath();
    await write(path, 1);
    const changed = readFileSync(path, "utf8").replace("run-1", "run-7");
    writeFileSync(path, changed);
    expect(() => auditLog({ sink: jsonLines(path) })).toThrow(
      /last record of this audit log was changed/,
    );
    expect(readFileSync(path, "utf8")).toBe(changed);
    expect(existsSync(`${path}.lock`)).toBe(false);
  });

  it.each(["no newline at all", "two\nlines\n", "{}\n"])(
    "leaves a file alone that is no log: %j",
    (text) => {
      const path = temporaryPath();
      writeFileSync(path, text);
      expect(() => auditLog({ sink: jsonLines(path) })).toThrow(/(?:not|must be) an audit log/);
      expect(readFileSync(path, "utf8")).toBe(text);
    },
  );

  it("writes a record that the disk takes in small pieces", async () => {
    const disk = new Disk();
    disk.shortest = 7;
    const log = onDisk(disk);
    await Promise.all([1, 2].map((index) => log.settle(call(index))));
    expect(await verify(disk.bytes)).toMatchObject({ ok: true, kinds: { outcome: 2 } });
  });

  it.each(["ENOSPC", "EIO"])(
    "P16 leaves nothing half-written on %s, and stops for good",
    async (failure) => {
      const disk = new Disk();
      const log = onDisk(disk);
      await log.settle(call(1));
      const kept = disk.bytes.toString();
      disk.failure = failure;
      disk.room = 100;
      await expect(log.settle(call(2))).rejects.toThrow(failure);
      expect(disk.bytes.toString()).toBe(kept);
      disk.room = Number.POSITIVE_INFINITY;
      await expect(log.settle(call(3))).rejects.toThrow(/stopped for good/);
      expect(disk.bytes.toString()).toBe(kept);
      await log.close();
    },
  );

  it("goes on after a full disk with a new writer", async () => {
    const disk = new Disk();
    const path = temporaryPath();
    const log = onDisk(disk, path);
    await log.settle(call(1));
    disk.room = 100;
    await expect(log.settle(call(2))).rejects.toThrow("ENOSPC");
    await log.close();
    disk.room = Number.POSITIVE_INFINITY;
    const next = onDisk(disk, path);
    await next.settle(call(3));
    expect(callRecords(disk.lines).map(({ runId }) => runId)).toEqual(["run-1", "run-3"]);
    expect((await verify(disk.bytes)).ok).toBe(true);
  });

  it("refuses a second writer, and takes one again after close", async () => {
    const path = temporaryPath();
    const first = auditLog({ sink: jsonLines(path) });
    expect(() => auditLog({ sink: jsonLines(path) })).toThrow(/Another writer has this audit log/);
    await first.close();
    await write(path, 1);
    expect((await verify(path)).ok).toBe(true);
  });

  it.each([
    ["a file that is there", true],
    ["one that is yet to be made", false],
  ])("refuses a second writer that comes by a symbolic link to %s", async (_, exists) => {
    const path = temporaryPath();
    const link = temporaryPath("link.jsonl");
    symlinkSync(path, link);
    if (exists) await write(path, 1);
    const first = auditLog({ sink: jsonLines(path) });
    expect(() => auditLog({ sink: jsonLines(link) })).toThrow(/Another writer has this audit log/);
    await first.close();
    await write(link, 2);
    expect(readdirSync(dirname(link))).toEqual(["link.jsonl"]);
    expect(await verify(path)).toMatchObject({ ok: true });
  });

  it("refuses a second writer that comes by a hard link, and leaves the first one be", async () => {
    const path = temporaryPath();
    const link = temporaryPath("link.jsonl");
    const first = auditLog({ sink: jsonLines(path) });
    await first.settle(call(1));
    linkSync(path, link);
    expect(() => auditLog({ sink: jsonLines(link) })).toThrow(/has 2 names \(hard links\)/);
    expect(existsSync(`${link}.lock`)).toBe(false);
    await first.settle(call(2));
    await first.close();
    expect(await verify(path)).toMatchObject({ ok: true, kinds: { head: 1, outcome: 2 } });
  });

  it("takes over the lock of a process that is gone, and of an earlier one with the same id", async () => {
    const path = temporaryPath();
    const gone = spawnSync(process.execPath, ["-e", ""]).pid;
    const host = hostname();
    for (const holder of [
      { pid: gone, host },
      { pid: process.pid, host, started: "1" },
    ]) {
      writeFileSync(`${path}.lock`, JSON.stringify(holder));
      await write(path, 1);
    }
    expect(await verify(path)).toMatchObject({ ok: true, kinds: { head: 2 } });
  });

  it.each([
    // No process here has that id: whether one there has cannot be known.
    ["of another host", JSON.stringify({ pid: 2 ** 22 + 1, host: "elsewhere.invalid" })],
    ["of a process that lives", JSON.stringify({ pid: process.pid, host: hostname() })],
    ["that cannot be read", "?"],
    ["that is empty", ""],
  ])("leaves a lock alone %s", (_, text) => {
    const path = temporaryPath();
    writeFileSync(`${path}.lock`, text);
    expect(() => auditLog({ sink: jsonLines(path) })).toThrow(/delete the lock file/);
    expect(readFileSync(`${path}.lock`, "utf8")).toBe(text);
  });

  it("takes over the takeover of a process that died over it, however often", async () => {
    const path = temporaryPath();
    const gone = spawnSync(process.execPath, ["-e", ""]).pid;
    for (const end of ["", ".takeover", ".takeover.takeover"]) {
      writeFileSync(`${path}.lock${end}`, JSON.stringify({ pid: gone, host: hostname() }));
    }
    await write(path, 1);
    expect(readdirSync(dirname(path)).sort()).toEqual(["audit.jsonl", "audit.jsonl.key"]);
  });

  it("leaves a stale lock alone while somebody else takes it over, and names the file that says so", () => {
    const path = temporaryPath();
    const gone = spawnSync(process.execPath, ["-e", ""]).pid;
    writeFileSync(`${path}.lock`, JSON.stringify({ pid: gone, host: hostname() }));
    const alive = JSON.stringify({ pid: process.pid, host: hostname() });
    for (const holder of [alive, ""]) {
      writeFileSync(`${path}.lock.takeover`, holder);
      expect(() => auditLog({ sink: jsonLines(path) })).toThrow(
        /Another writer .*\.jsonl\.lock\.takeover'/,
      );
      expect(readFileSync(`${path}.lock.takeover`, "utf8")).toBe(holder);
    }
  });

  it("stops when somebody else writes to the file, so that a chain never forks unseen", async () => {
    const path = temporaryPath();
    const log = auditLog({ sink: jsonLines(path) });
    await log.settle(call(1));
    appendFileSync(path, "{}\n");
    await expect(log.settle(call(2))).rejects.toThrow(/Somebody else wrote to the log file/);
    await log.close();
    expect(await verify(path)).toMatchObject({ ok: false, firstBad: { line: 3 } });
  });

  it("stops when the file is deleted, for a record in it would be a record nowhere", async () => {
    const path = temporaryPath();
    const log = auditLog({ sink: jsonLines(path) });
    await log.settle(call(1));
    rmSync(path);
    await expect(log.settle(call(2))).rejects.toThrow(/was deleted/);
    await log.close();
  });

  it("lets the lock go when the file cannot be opened", () => {
    const path = temporaryPath();
    const openFile = () => {
      throw new Error("no such device");
    };
    expect(() => auditLog({ sink: jsonLines(path, { openFile }) })).toThrow("no such device");
    expect(existsSync(`${path}.lock`)).toBe(false);
  });

  it("names the directory that is not there", () => {
    expect(() => jsonLines("nodir/a.jsonl")).toThrow(
      new ToolstileError(
        "ERR_INVALID_OPTION",
        `The directory of the audit log '${resolve("nodir")}' does not exist. Make it first.`,
      ),
    );
  });

  it("names the file that it cannot make, and no draft of it", () => {
    const path = temporaryPath("x".repeat(240));
    const sink = jsonLines(path);
    expect(() => auditLog({ sink })).toThrow(
      /^The audit log's file 'x+\.key' cannot be made in '\/.+' \(ENAMETOOLONG\)\.$/,
    );
    const deleted = temporaryPath("deleted/a.jsonl");
    mkdirSync(dirname(deleted));
    const gone = jsonLines(deleted);
    rmSync(dirname(deleted), { recursive: true });
    expect(() => auditLog({ sink: gone })).toThrow("'a.jsonl.key' cannot be made");
  });

  it("P5 refuses an empty path and a misspelt option", () => {
    expect(() => jsonLines("")).toThrow(/path of a file/);
    expect(() => jsonLines("x", { openfile: 1 } as never)).toThrow(/Did you mean 'openFile'/);
  });
});
