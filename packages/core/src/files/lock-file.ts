import { randomUUID } from "node:crypto";
import { lstatSync } from "node:fs";
import { hostname } from "node:os";
import { readRegularFile } from "./regular-file.js";
import { createFileSync, removeFile } from "./whole-file.js";

/** The most bytes to read: more than any lock file has, and more than /proc says about a process. */
const longestLock = 4_096;

interface Holder {
  readonly pid: number;
  readonly host: string;
  /** The start time of the process, as its system counts. It distinguishes the process from a later one with the same id. */
  readonly started: string | undefined;
}

export type TakenLock =
  | { readonly release: () => void; readonly obstacle?: undefined }
  /** `obstacle` is the lock file that is in the way. */
  | { readonly release?: undefined; readonly obstacle: string };

/**
 * Takes a lock file, which keeps other processes out until it is released.
 *
 * The lock of a process that is gone is taken over. The lock of another host
 * never is: its process cannot be seen from here.
 *
 * @throws the system's errors when the lock file cannot be made.
 */
export function takeLock(path: string): TakenLock {
  const mine = JSON.stringify({
    pid: process.pid,
    host: hostname(),
    started: startOf(process.pid),
    // Else one that this process took before would release the one that it takes later.
    taken: randomUUID(),
  } satisfies Holder & { readonly taken: string });
  const obstacle = acquire(path, mine);
  if (obstacle !== undefined) return { obstacle };
  return {
    release() {
      if (fileText(path) === mine) removeFile(path);
    },
  };
}

/**
 * Makes a lock file, and returns the path of the one that is in the way, if any.
 *
 * Processes take over a dead process's lock one at a time: of two that both saw
 * a dead holder, the slower would delete the faster's new lock. The right to
 * take over is a lock like any other, so it is taken over in the same way if
 * its holder dies.
 */
function acquire(path: string, mine: string): string | undefined {
  if (!isThere(path) && createFileSync(path, mine)) return undefined;
  if (!isDead(fileText(path))) return path;
  const takeover = `${path}.takeover`;
  const obstacle = acquire(takeover, mine);
  if (obstacle !== undefined) return obstacle;
  try {
    if (!isDead(fileText(path))) return path;
    removeFile(path);
    return createFileSync(path, mine) ? undefined : path;
  } finally {
    removeFile(takeover);
  }
}

function isThere(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}

/** Reads a text; empty if it cannot be read. A lock with an unknown holder is not taken over. */
function fileText(path: string): string {
  try {
    return readRegularFile(path, { mostBytes: longestLock }).toString();
  } catch {
    return "";
  }
}

function isDead(text: string): boolean {
  const holder = holderIn(text);
  if (holder === undefined || holder.host !== hostname()) return false;
  if (!isRunning(holder.pid)) return true;
  const started = startOf(holder.pid);
  return holder.started !== undefined && started !== undefined && holder.started !== started;
}

function holderIn(text: string): Holder | undefined {
  try {
    const { pid, host, started } = JSON.parse(text);
    return Number.isSafeInteger(pid) && pid > 0 ? { pid, host, started } : undefined;
  } catch {
    return undefined;
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== "ESRCH";
  }
}

/** Reads when a process started, on Linux only: clock ticks from boot, or "gone" if the process has ended and was not reaped. */
function startOf(pid: number): string | undefined {
  const stat = fileText(`/proc/${pid}/stat`);
  // The second field is the program's name in parentheses, which may contain anything.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return fields[0] === "Z" ? "gone" : fields[19];
}
