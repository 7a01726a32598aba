/** Bytes in use once all that nobody holds is gone. */
export function heapUsed(): number {
  collect();
  return process.memoryUsage().heapUsed;
}
const collect = await garbageCollector();

/** The engine's own, which is hidden unless asked for. */
async function garbageCollector(): Promise<() => void> {
  const { setFlagsFromString } = await import("node:v8");
  const { runInNewContext } = await import("node:vm");
  setFlagsFromString("--expose-gc");
  return runInNewContext("gc") as () => void;
}
