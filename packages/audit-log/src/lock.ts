import { unlinkSync } from "node:fs";
import { hostname } from "node:os";
import { quoted, ToolstileError } from "@toolstile/core";
import { createExclusively } from "./exclusive-file.js";
import { readRegular } from "./regular-file.js";

/** Longer than any lock, and than what the system says of a process. */
const longestLock = 4_096;

interface Holder {
  readonly pid: number;
  readonly host: string;
  /** When the process began, as its system counts; tells it from a later one with the same id. */
  readonly started: string | undefined;
}

/**
 * Takes a lock file, and gives what lets it go.
 *
 * @throws ToolstileError `ERR_INVALID_OPTION` when another writer holds it.
 */
export function requireLock(path: string): () => void {
  let obstacle = path;
  const unlock = takeLock(path, (other) => {
    obstacle = other;
  });
  if (unlock !== undefined) return unlock;
  throw new ToolstileError(
    "ERR_INVALID_OPTION",
    `Another writer has this audit log: its lock file ends in ${quoted(obstacle.slice(-64))}. ` +
      "Give each writer a path of its own, or delete the lock file if no writer is running.",
  );
}

/**
 * Takes a lock file, and gives what lets it go; nothing when another writer holds it.
 *
 * The lock of a process that is gone is taken over; one of another host never,
 * for whether that process lives cannot be seen from here.
 */
export function takeLock(
  path: string,
  onObstacle?: (path: string) => void,
): (() => void) | undefined {
  const mine = JSON.stringify({
    pid: process.pid,
    host: hostname(),
    started: startOf(process.pid),
  });
  const obstacle = acquire(path, mine);
  if (obstacle !== undefined) {
    onObstacle?.(obstacle);
    return undefined;
  }
  return () => {
    if (read(path) === mine) unlinkSync(path);
  };
}

/**
 * Makes a lock file, and says which one is in the way if any is.
 *
 * The lock of a dead process is taken over by one at a time: of two who both
 * saw a dead holder, the slower would delete the faster's new lock. Whose turn
 * it is, is a lock like any other, so one whose holder died over it is taken
 * over in the same way.
 */
function acquire(path: string, mine: string): string | undefined {
  if (createExclusively(path, mine)) return undefined;
  if (!isDead(read(path))) return path;
  const turn = `${path}.takeover`;
  const obstacle = acquire(turn, mine);
  if (obstacle !== undefined) return obstacle;
  try {
    if (!isDead(read(path))) return path;
    unlinkSync(path);
    return createExclusively(path, mine) ? undefined : path;
  } finally {
    unlinkSync(turn);
  }
}

function read(path: string): string {
  try {
    return readRegular(path, longestLock).toString();
  } catch {
    return "";
  }
}

function isDead(text: string): boolean {
  const holder = parse(text);
  if (holder === undefined || holder.host !== hostname()) return false;
  if (!exists(holder.pid)) return true;
  const started = startOf(holder.pid);
  return holder.started !== undefined && started !== undefined && holder.started !== started;
}

function parse(text: string): Holder | undefined {
  try {
    const { pid, host, started } = JSON.parse(text);
    return Number.isSafeInteger(pid) && pid > 0 ? { pid, host, started } : undefined;
  } catch {
    return undefined;
  }
}

function exists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== "ESRCH";
  }
}

/** Linux only: clock ticks from boot to the start of a process. "gone" for one that only waits to be buried. */
function startOf(pid: number): string | undefined {
  const stat = read(`/proc/${pid}/stat`);
  // The second field is the program's name in parentheses, and may hold anything.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return fields[0] === "Z" || fields[0] === "X" ? "gone" : fields[19];
}
