/** The last moment that a Date can hold. https://tc39.es/ecma262/#sec-time-values-and-time-range */
const lastMs = 8.64e15;

/** Returns a moment as records and checkpoints state it: whole milliseconds since the epoch, or null for what is none. */
export function wholeMs(time: unknown): number | null {
  return typeof time === "number" && time >= 0 && time <= lastMs ? Math.floor(time) : null;
}

/** A clock of which records and checkpoints can be made. One that goes wrong or throws gives null: it must not cost the record. */
export function clockOf(now: () => number): () => number | null {
  return () => {
    try {
      return wholeMs(now());
    } catch {
      return null;
    }
  };
}
