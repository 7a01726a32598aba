import {
  type AuditRecord,
  type LatestCalls,
  type LatestCallsOptions,
  latestCalls,
  readRecords,
} from "@toolstile/audit-log/read";
import { ownValue } from "@toolstile/core/provider";
import type { CallQuery } from "./query.js";

/** Reads the calls of a log's folder: once through, and then what is written from there on. */
export class CallReading {
  readonly #path: string;
  readonly #query: CallQuery;
  readonly #withoutOutcome = new Map<string, AuditRecord>();
  /** The last record that was read, by chain. */
  readonly #through = new Map<string, number>();

  constructor(path: string, query: CallQuery) {
    this.#path = path;
    this.#query = query;
  }

  /**
   * The latest calls.
   *
   * @throws the system's error when the folder cannot be read.
   */
  async latest(
    options: Pick<LatestCallsOptions, "limit" | "payloads" | "onProgress">,
  ): Promise<LatestCalls> {
    const found = await latestCalls(this.#path, { ...this.#query, ...options });
    for (const [chain, seq] of found.through) this.#through.set(chain, seq);
    return found;
  }

  /**
   * Calls that are over, in the order of their records, except those that an
   * earlier pass has read. With a signal it goes on until the signal.
   *
   * @throws the system's error when the folder cannot be read.
   */
  async *outcomes(signal?: AbortSignal): AsyncGenerator<AuditRecord, void, undefined> {
    const filter = { ...this.#query.filter, kind: ["intent", "outcome"] as const };
    const following = signal === undefined ? {} : { follow: true, signal };
    const after = new Map(this.#through);
    for await (const found of readRecords(this.#path, { filter, after, ...following })) {
      const { seq, kind } = found.record;
      this.#through.set(found.chain, Math.max(seq, this.#through.get(found.chain) ?? 0));
      this.#withoutOutcome.delete(identityOf(found));
      if (kind === "intent") this.#withoutOutcome.set(identityOf(found), found);
      if (kind !== "outcome") continue;
      if (!this.#query.onlyOpen && this.#isInTime(found)) yield found;
    }
  }

  /** Calls that have an intent and, as far as was read, no outcome. */
  withoutOutcome(): readonly AuditRecord[] {
    return Array.from(this.#withoutOutcome.values()).filter((each) => this.#isInTime(each));
  }

  #isInTime({ record: { time } }: AuditRecord): boolean {
    const { until } = this.#query;
    return until === undefined || (typeof time === "number" && time < until);
  }
}

/** A run may be resumed by another process, which writes another chain. */
function identityOf({ chain, record }: AuditRecord): string {
  return `${chain}/${String(ownValue(record, "runId"))}`;
}

/** What comes with the last one first, in the order of time. */
export async function inOrder<Call>(newestFirst: AsyncIterable<Call>): Promise<readonly Call[]> {
  const calls: Call[] = [];
  for await (const call of newestFirst) calls.push(call);
  return calls.reverse();
}
