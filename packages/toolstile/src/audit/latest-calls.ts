import type { AuditRecord } from "@toolstile/audit-log";
import type { CallReading } from "./call-reading.js";
import { Latest } from "./latest.js";

export interface LatestCallsOptions<T> {
  /** As many at most. */
  readonly limit: number;
  /** What is kept of a call. */
  readonly keep: (call: AuditRecord) => T;
  /** How large that is, and how large all together may be. */
  readonly size?: { readonly of: (kept: T) => number; readonly largest: number } | undefined;
  /** Told how many were read. */
  readonly onProgress?: ((calls: number) => void) | undefined;
}

export interface LatestCalls<T> {
  /** In the order of their times. */
  readonly calls: readonly T[];
  /** Earlier ones that are not among them. */
  readonly leftOut: number;
}

/** Reads a log once, and keeps the latest calls of it. */
export async function latestCalls<T>(
  reading: CallReading,
  { limit, keep, size, onProgress }: LatestCallsOptions<T>,
): Promise<LatestCalls<T>> {
  const sizeOf = size === undefined ? () => 0 : ({ kept }: Kept<T>) => size.of(kept);
  const latest = new Latest<Kept<T>>({ limit, sizeOf, largest: size?.largest });
  let read = 0;
  for await (const call of reading.outcomes()) {
    latest.add({ order: order(call), kept: keep(call) });
    read++;
    onProgress?.(read);
  }
  const withoutOutcome = reading.withoutOutcome();
  if (withoutOutcome.length > 0) {
    const more = withoutOutcome.map((call) => ({ order: order(call), kept: keep(call) }));
    latest.replace([...latest.list(), ...more].sort((one, other) => one.order - other.order));
  }
  return { calls: latest.list().map(({ kept }) => kept), leftOut: latest.leftOut };
}

interface Kept<T> {
  readonly order: number;
  readonly kept: T;
}

/** What has no time stands last: there it is seen. */
function order({ record: { time } }: AuditRecord): number {
  return typeof time === "number" ? time : Number.MAX_SAFE_INTEGER;
}
