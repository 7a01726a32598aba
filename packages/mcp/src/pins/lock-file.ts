import { randomBytes } from "node:crypto";
import { open, readFile, rename, unlink } from "node:fs/promises";
import { hostname } from "node:os";
import { setTimeout as wait } from "node:timers/promises";
import { quoted, ToolstileError } from "@toolstile/core";

const attempts = 200;
const betweenMs = 25;

/**
 * Do something while no other process does it, by a file that only one can make.
 *
 * A lock whose process is gone is taken away; any other is waited for, some
 * seconds.
 *
 * @throws ToolstileError `ERR_CONFIG` where it stays taken.
 */
export async function withLock<T>(path: string, act: () => Promise<T>): Promise<T> {
  const owner = JSON.stringify([hostname(), process.pid, randomBytes(6).toString("hex")]);
  for (let attempt = 0; !(await isMade(path, owner)); attempt++) {
    if (attempt === attempts) throw taken(path);
    if (!(await removedIfDead(path))) await wait(betweenMs);
  }
  try {
    return await act();
  } finally {
    await unlink(path).catch(() => {});
  }
}

async function isMade(path: string, owner: string): Promise<boolean> {
  try {
    const file = await open(path, "wx", 0o600);
    try {
      await file.writeFile(owner);
    } finally {
      await file.close();
    }
    return true;
  } catch (error) {
    if (codeOf(error) === "EEXIST") return false;
    throw error;
  }
}

/** Of several that find a dead owner's lock, one takes it away: renaming it succeeds once. */
async function removedIfDead(path: string): Promise<boolean> {
  const aside = `${path}.${randomBytes(6).toString("hex")}`;
  try {
    const owner = await readFile(path, "utf8");
    if (!isDead(owner)) return false;
    await rename(path, aside);
    const moved = await readFile(aside, "utf8");
    // In the meantime, somebody else may have taken it away, and a third made a new one.
    if (moved === owner) await unlink(aside);
    else await rename(aside, path);
    return moved === owner;
  } catch (error) {
    if (codeOf(error) === "ENOENT") return true;
    throw error;
  }
}

function isDead(owner: string): boolean {
  let host: unknown;
  let pid: unknown;
  try {
    [host, pid] = JSON.parse(owner) as unknown[];
  } catch {
    // Still being written.
    return false;
  }
  if (host !== hostname() || typeof pid !== "number") return false;
  try {
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return codeOf(error) === "ESRCH";
  }
}

function taken(path: string): ToolstileError {
  return new ToolstileError(
    "ERR_CONFIG",
    `The lock ${quoted(path.slice(-64))} stays taken. Remove the file if no process of yours is using the pins.`,
  );
}

export function codeOf(error: unknown): unknown {
  return error instanceof Error && "code" in error ? error.code : undefined;
}
