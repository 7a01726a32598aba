import { type FaultReport, Scope, type Terms } from "../call/caller.js";
import { notify } from "../time/notify.js";

/** A guard, an observer or an approver that a runner closes. */
export interface Closable {
  readonly name: string;
  readonly close?: (() => unknown) | undefined;
}

/** Counts the open calls of a runner, and closes what the runner owns when none is open any more. */
export class Closing {
  readonly #parent: Closing | undefined;
  #open = 0;
  #idle: (() => void) | undefined;
  #closing: Promise<void> | undefined;

  constructor(parent: Closing | undefined) {
    this.#parent = parent;
  }

  /** Counts open calls. A child's call counts for its parent too, because it uses guards that the parent closes. */
  count(change: 1 | -1): void {
    this.#open += change;
    if (this.#open === 0) this.#idle?.();
    if (this.#parent !== undefined) this.#parent.count(change);
  }

  /** True from the moment at which the runner, or one of its parents, is told to close. */
  get begun(): boolean {
    return this.#closing !== undefined || this.#parent?.begun === true;
  }

  /** Waits for open calls, then closes the owned, once. A fault of one of them is reported, and the next is closed. */
  begin(owned: () => readonly Closable[], terms: Terms, report: FaultReport): Promise<void> {
    this.#closing ??= this.#close(owned, terms, report);
    return this.#closing;
  }

  async #close(owned: () => readonly Closable[], terms: Terms, report: FaultReport): Promise<void> {
    if (this.#open > 0) await new Promise<void>((resolve) => (this.#idle = resolve));
    for (const owner of owned()) {
      const failed = (error: unknown): void => report(owner.name, "close", error);
      await notify(() => owner.close?.(), new Scope(terms, undefined).deadline(), failed);
    }
  }
}
