import { spawnSync } from "node:child_process";
import {
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { hostname } from "node:os";
import { dirname, join } from "node:path";
import { expect, it, vi } from "vitest";
import { takeLock } from "../../src/files/index.js";
import { temporaryFolder } from "./temporary.js";

/** The id of a process that has ended. */
const dead = spawnSync(process.execPath, ["-e", ""]).pid;
const host = hostname();

it("keeps others out until it is released", () => {
  const path = join(temporaryFolder(), "lock");
  const first = takeLock(path);
  expect(takeLock(path)).toEqual({ obstacle: path });
  first.release?.();
  const second = takeLock(path);
  expect(second.obstacle).toBeUndefined();
  second.release?.();
  expect(readdirSync(join(path, ".."))).toEqual([]);
});

it("is not released by one that held it before it was deleted by hand and taken again", () => {
  const path = join(temporaryFolder(), "lock");
  const first = takeLock(path);
  writeFileSync(path, JSON.stringify({ pid: 1, host, started: "other" }));
  first.release?.();
  expect(readFileSync(path, "utf8")).toContain('"pid":1');
});

it("stays with its second holder when the first, of the same process, releases again", () => {
  const path = join(temporaryFolder(), "lock");
  const first = takeLock(path);
  first.release?.();
  const second = takeLock(path);
  first.release?.();
  expect(takeLock(path)).toEqual({ obstacle: path });
  second.release?.();
  expect(readdirSync(join(path, ".."))).toEqual([]);
});

it.each([0, -1, 1.5, "1", -dead])("is not taken over from a holder whose id is %j", (pid) => {
  const path = join(temporaryFolder(), "lock");
  writeFileSync(path, JSON.stringify({ pid, host, started: "1" }));
  expect(takeLock(path)).toEqual({ obstacle: path });
});

it("is not taken over from a process of which the system tells no start", () => {
  const path = join(temporaryFolder(), "lock");
  // The system is not asked about so great an id: the process may be running.
  writeFileSync(path, JSON.stringify({ pid: 2 ** 31, host, started: "1" }));
  expect(takeLock(path)).toEqual({ obstacle: path });
});

it("is looked for before anything is written to its folder", () => {
  const path = join(temporaryFolder(), "lock");
  writeFileSync(path, JSON.stringify({ pid: process.pid, host }));
  utimesSync(dirname(path), 0, 0);
  expect(takeLock(path)).toEqual({ obstacle: path });
  expect(statSync(dirname(path)).mtimeMs).toBe(0);
});

it.skipIf(process.platform !== "linux")("says when its process started, as the system does", () => {
  const path = join(temporaryFolder(), "lock");
  takeLock(path);
  const facts = readFileSync("/proc/self/stat", "utf8");
  // The 22nd field; the second, in brackets, may have spaces.
  const started = facts.slice(facts.lastIndexOf(")") + 2).split(" ")[19];
  expect(JSON.parse(readFileSync(path, "utf8"))).toMatchObject({ pid: process.pid, host, started });
});

it("is taken over from a process that has ended", () => {
  const path = join(temporaryFolder(), "lock");
  writeFileSync(path, JSON.stringify({ pid: dead, host }));
  const taken = takeLock(path);
  expect(taken.obstacle).toBeUndefined();
  taken.release?.();
  expect(readdirSync(join(path, ".."))).toEqual([]);
});

it.skipIf(process.platform !== "linux")(
  "is taken over from a process whose id another has by now",
  () => {
    const path = join(temporaryFolder(), "lock");
    writeFileSync(path, JSON.stringify({ pid: process.pid, host, started: "1" }));
    expect(takeLock(path).obstacle).toBeUndefined();
  },
);

it("is taken over also where a process died over taking it over", () => {
  const path = join(temporaryFolder(), "lock");
  for (const each of [path, `${path}.takeover`]) {
    writeFileSync(each, JSON.stringify({ pid: dead, host }));
  }
  expect(takeLock(path).obstacle).toBeUndefined();
});

it.each<[string, (path: string) => void]>([
  ["of another host", (path) => writeFileSync(path, JSON.stringify({ pid: dead, host: "x.y" }))],
  ["that is empty", (path) => writeFileSync(path, "")],
  ["that is no lock", (path) => writeFileSync(path, "0".repeat(10_000))],
  ["with a wrong id", (path) => writeFileSync(path, JSON.stringify({ pid: -1, host }))],
  ["that is a folder", (path) => mkdirSync(path)],
  ["that is a link to nowhere", (path) => symlinkSync("/nowhere/at/all", path)],
])("is never taken over from a lock %s", (_, plant) => {
  const path = join(temporaryFolder(), "lock");
  plant(path);
  expect(takeLock(path)).toEqual({ obstacle: path });
});

it("names the lock that is in the way, where another process takes it over", () => {
  const path = join(temporaryFolder(), "lock");
  writeFileSync(path, JSON.stringify({ pid: dead, host }));
  writeFileSync(`${path}.takeover`, JSON.stringify({ pid: process.pid, host }));
  expect(takeLock(path)).toEqual({ obstacle: `${path}.takeover` });
});

it("P16 looks again before it takes over: another process may have done so in between", () => {
  const path = join(temporaryFolder(), "lock");
  const living = JSON.stringify({ pid: process.pid, host });
  writeFileSync(path, JSON.stringify({ pid: dead, host }));
  // The system is asked about the process that is gone, and meanwhile another one is faster.
  const asked = vi.spyOn(process, "kill").mockImplementationOnce(() => {
    writeFileSync(path, living);
    throw Object.assign(new Error("no such process"), { code: "ESRCH" });
  });
  expect(takeLock(path)).toEqual({ obstacle: path });
  asked.mockRestore();
  expect(readFileSync(path, "utf8")).toBe(living);
});

it("P16 names the lock that is in the way, and not one by which others are taken over", () => {
  const path = join(temporaryFolder(), "lock");
  const living = JSON.stringify({ pid: process.pid, host });
  for (const each of [path, `${path}.takeover`]) writeFileSync(each, living);
  expect(takeLock(path)).toEqual({ obstacle: path });
});
