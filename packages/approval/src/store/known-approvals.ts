import { expiryOf, graceMs } from "../record/approval-id.js";
import { ApprovalIndex } from "./approval-index.js";
import { ExpiryQueue } from "./expiry-queue.js";
import { Multimap } from "./multimap.js";
import type { ApprovalKeys } from "./sought.js";

/**
 * A process's knowledge of the approvals in a folder, at whatever time it is asked.
 *
 * It may be told twice of the same, and of the end of an approval before its beginning.
 */
export class KnownApprovals {
  readonly #open = new ApprovalIndex();
  /** Those that are asked and have expired at `#time`: not in `#open`, unless the clock is set back. */
  readonly #expired = new Map<string, ApprovalKeys | undefined>();
  readonly #expiring = new ExpiryQueue();
  #time = Number.NEGATIVE_INFINITY;
  /** Those that are open no more, and the call of those that were refused. */
  readonly #over = new Map<string, string | undefined>();
  readonly #refusedOfCall = new Multimap<string>();
  /** Runs that have used a grant, and the name of the latest file that says so. */
  readonly #ran = new Map<string, string>();
  /** All that have files, until their time comes to be deleted. */
  readonly #kept = new Set<string>();
  readonly #keeping = new ExpiryQueue();

  has(id: string): boolean {
    return this.#open.has(id) || this.#expired.has(id) || this.#over.has(id);
  }

  /** An approval is pending. Without keys, it cannot be read: it counts, and is found by nothing. */
  asked(id: string, keys: ApprovalKeys | undefined): void {
    if (this.has(id)) return;
    this.keep(id);
    this.#open.add(id, keys);
    this.#expiring.add(id);
  }

  approved(id: string): void {
    this.#open.approve(id);
  }

  /** An approval is open no more: it was used, withdrawn, or refused, and then it is found by its call. */
  over(id: string, refusedCall?: string): void {
    this.#open.delete(id);
    this.#expired.delete(id);
    this.keep(id);
    this.#over.set(id, refusedCall ?? this.#over.get(id));
    if (refusedCall !== undefined) this.#refusedOfCall.add(refusedCall, id);
  }

  /** A run has used a grant; the file that says so is named by the time of the grant and the run. */
  ran(name: string): void {
    this.keep(name);
    const run = runIn(name);
    if (name > (this.#ran.get(run) ?? "")) this.#ran.set(run, name);
  }

  hasRun(run: string): boolean {
    return this.#ran.has(run);
  }

  /** There are files of this id, which are to be deleted some day. */
  keep(id: string): void {
    if (this.#kept.has(id)) return;
    this.#kept.add(id);
    this.#keeping.add(id);
  }

  find(kind: keyof ApprovalKeys, key: string, now: number): Iterable<string> {
    this.#setTime(now);
    return this.#open.find(kind, key);
  }

  refused(call: string): Iterable<string> {
    return this.#refusedOfCall.of(call);
  }

  openAt(now: number): number {
    this.#setTime(now);
    return this.#open.size;
  }

  /** Forgets what expired long ago, or so much of it, and says what it was. */
  sweep(now: number, most: number): readonly string[] {
    const ids = this.#keeping.take((id) => expiryOf(id) + graceMs <= now, most);
    for (const id of ids) {
      const call = this.#over.get(id);
      if (call !== undefined) this.#refusedOfCall.delete(call, id);
      if (this.#ran.get(runIn(id)) === id) this.#ran.delete(runIn(id));
      this.#open.delete(id);
      this.#expired.delete(id);
      this.#over.delete(id);
      this.#kept.delete(id);
    }
    return ids;
  }

  #setTime(now: number): void {
    if (!(now >= this.#time)) {
      for (const [id, keys] of this.#expired) {
        this.#expired.delete(id);
        this.#open.add(id, keys);
        this.#expiring.add(id);
      }
    }
    this.#time = now;
    for (const id of this.#expiring.take((each) => !(now < expiryOf(each)))) {
      if (!this.#open.has(id)) continue;
      this.#expired.set(id, this.#open.keysOf(id));
      this.#open.delete(id);
    }
  }
}

function runIn(name: string): string {
  return name.slice(name.indexOf("-") + 1);
}
