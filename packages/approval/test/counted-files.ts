import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { onTestFinished } from "vitest";

const functions = [
  "openSync",
  "readSync",
  "writeSync",
  "lstatSync",
  "statSync",
  "linkSync",
  "unlinkSync",
  "mkdirSync",
  "readdirSync",
] as const;

export interface CountedFiles {
  /** Counts the calls to the file system that are made meanwhile, by function, and the names that were read of folders. */
  readonly during: (act: () => unknown) => Promise<Readonly<Record<string, number>>>;
  /** Lets so many calls through; all others throw, as if the process had been killed there. Returns whether it was. */
  readonly killedAfter: (calls: number, act: () => unknown) => Promise<boolean>;
}

/** Calls to the file system of this process, counted until the test is over. */
export function countedFiles(): CountedFiles {
  const counts = new Map<string, number>();
  let left = Number.POSITIVE_INFINITY;
  const count = (what: string, by = 1) => counts.set(what, (counts.get(what) ?? 0) + by);
  const called = (name: string) => {
    count(name);
    if (left-- <= 0) throw new Error("killed");
  };
  const restoring: (() => void)[] = [];
  for (const name of functions) {
    const original = fs[name] as (...values: unknown[]) => unknown;
    const counting = (...values: unknown[]) => {
      called(name);
      const result = original(...values);
      if (Array.isArray(result)) count("names", result.length);
      return result;
    };
    Object.assign(fs, { [name]: counting });
    restoring.push(() => Object.assign(fs, { [name]: original }));
  }
  const { readdir } = fs.promises;
  fs.promises.readdir = (async (...values: Parameters<typeof readdir>) => {
    called("readdir");
    const names = await readdir(...values);
    count("names", names.length);
    return names;
  }) as typeof readdir;
  restoring.push(() => {
    fs.promises.readdir = readdir;
  });
  syncBuiltinESMExports();
  onTestFinished(() => {
    for (const restore of restoring) restore();
    syncBuiltinESMExports();
  });
  return {
    async during(act) {
      counts.clear();
      await act();
      return Object.fromEntries(counts);
    },
    async killedAfter(calls, act) {
      left = calls;
      try {
        await act();
        return left < 0;
      } catch {
        return true;
      } finally {
        left = Number.POSITIVE_INFINITY;
      }
    },
  };
}
