import type { Clock } from "@toolstile/core";
import { systemClock } from "@toolstile/core/provider";
import type { ListRevision } from "./list-revision.js";

/** The milliseconds for which a list that was read counts as present, unless the server says that it has changed. */
const restMs = 5_000;

/** The list that a server gave last. */
export class LatestList<List> {
  readonly #current: ListRevision;
  readonly #clock: Pick<Clock, "now">;
  #list: List | undefined;
  #revision = -1;
  #at = 0;

  constructor(current: ListRevision, clock: Pick<Clock, "now"> = systemClock) {
    this.#current = current;
    this.#clock = clock;
  }

  /** The list, if it need not be read again yet. */
  get present(): List | undefined {
    if (this.#revision !== this.#current.current) return undefined;
    const age = this.#now() - this.#at;
    // A clock can be set back.
    return age >= 0 && age < restMs ? this.#list : undefined;
  }

  /** Takes note of a list that was asked for at this revision. */
  take(list: List, revision: number): void {
    if (revision < this.#revision) return;
    this.#list = list;
    this.#revision = revision;
    this.#at = this.#now();
  }

  /** NaN where a host's clock throws, so that nothing counts as present. */
  #now(): number {
    try {
      return this.#clock.now();
    } catch {
      return Number.NaN;
    }
  }
}
