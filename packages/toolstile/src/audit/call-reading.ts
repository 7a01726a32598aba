import { type AuditRecord, readRecords } from "@toolstile/audit-log";
import { own } from "../replay/own-property.js";
import type { CallQuery } from "./query.js";

/** Reads the calls of a log's folder: once through, and then what is written from there on. */
export class CallReading {
  /** Records that writers say they dropped. */
  dropped = 0;
  readonly #path: string;
  readonly #query: CallQuery;
  readonly #withoutOutcome = new Map<string, AuditRecord>();
  readonly #read = new Map<string, number>();

  constructor(path: string, query: CallQuery) {
    this.#path = path;
    this.#query = query;
  }

  /**
   * Calls that are over, in the order of their records.
   *
   * With a signal it goes on until the signal, and leaves out what an earlier
   * pass has read.
   *
   * @throws the system's error when the folder cannot be read.
   */
  async *outcomes(signal?: AbortSignal): AsyncGenerator<AuditRecord, void, undefined> {
    const before = new Map(this.#read);
    const filter = { ...this.#query.filter, kind: ["intent", "outcome", "gap"] as const };
    const following = signal === undefined ? {} : { follow: true, signal };
    for await (const found of readRecords(this.#path, { filter, ...following })) {
      const { seq, kind } = found.record;
      if (seq <= (before.get(found.chain) ?? 0)) continue;
      this.#read.set(found.chain, Math.max(seq, this.#read.get(found.chain) ?? 0));
      if (kind === "gap") this.#countDropped(found);
      if (kind === "intent") this.#withoutOutcome.set(identityOf(found), found);
      if (kind !== "outcome") continue;
      this.#withoutOutcome.delete(identityOf(found));
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

  #countDropped({ record }: AuditRecord): void {
    const dropped = own(record, "dropped");
    if (typeof dropped === "number" && dropped > 0) this.dropped += dropped;
  }
}

/** A run may be resumed by another process, which writes another chain. */
function identityOf({ chain, record }: AuditRecord): string {
  return `${chain}/${String(own(record, "runId"))}`;
}
