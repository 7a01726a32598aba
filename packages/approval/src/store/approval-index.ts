import { Multimap } from "./multimap.js";
import type { ApprovalKeys } from "./sought.js";

/** Finds the ids of open approvals by what they have in common, whatever the number of others. */
export class ApprovalIndex {
  readonly #open = new Map<string, ApprovalKeys | undefined>();
  readonly #ids: Readonly<Record<keyof ApprovalKeys, Multimap<string>>> = {
    run: new Multimap(),
    likeness: new Multimap(),
    call: new Multimap(),
  };

  /** The number of open ones. */
  get size(): number {
    return this.#open.size;
  }

  ids(): Iterable<string> {
    return this.#open.keys();
  }

  has(id: string): boolean {
    return this.#open.has(id);
  }

  keysOf(id: string): ApprovalKeys | undefined {
    return this.#open.get(id);
  }

  /** Adds a pending one. One without keys, which cannot be read, counts as open and is found by its id only. */
  add(id: string, keys: ApprovalKeys | undefined): void {
    this.#open.set(id, keys);
    if (keys === undefined) return;
    for (const [kind, ids] of this.#entries()) ids.add(keys[kind], id);
  }

  /** One that has its answer waits for none any more, and is still found by its run and its call. */
  approve(id: string): void {
    const keys = this.#open.get(id);
    if (keys !== undefined) this.#ids.likeness.delete(keys.likeness, id);
  }

  /** Takes out one that is open no more. */
  delete(id: string): void {
    const keys = this.#open.get(id);
    this.#open.delete(id);
    if (keys === undefined) return;
    for (const [kind, ids] of this.#entries()) ids.delete(keys[kind], id);
  }

  find(kind: keyof ApprovalKeys, key: string): Iterable<string> {
    return this.#ids[kind].of(key);
  }

  #entries() {
    return Object.entries(this.#ids) as [keyof ApprovalKeys, Multimap<string>][];
  }
}
