/** Why no call runs while a list that has changed, or that was never read, cannot be read. */
export const presentListUnread = "the server's present list of tools could not be read";

/**
 * How often a server has said that its list of tools has changed, and which of its lists is in force.
 *
 * A list counts from the moment at which the server was asked for it: a change
 * that was told in the meantime may be missing from it.
 */
export class ListRevision {
  #current = 0;
  #inForce = -1;

  /** The number of changes so far. */
  get current(): number {
    return this.#current;
  }

  /** True if the list in force is at least as new as the last change. */
  get isInForce(): boolean {
    return this.#inForce === this.#current;
  }

  changed(): void {
    this.#current++;
  }

  /** True unless a list is in force that was asked for later. */
  isNewer(revision: number): boolean {
    return revision >= this.#inForce;
  }

  /** Takes note that the list which was asked for at this revision is in force. */
  take(revision: number): void {
    this.#inForce = Math.max(this.#inForce, revision);
  }
}

/** The most times that a list is read for one caller, where it changes each time. */
const mostAttempts = 3;

/** Readings of a server's list, one for all who need it at the same time. */
export class Readings {
  readonly #revision: ListRevision;
  #latest: { readonly revision: number; readonly done: Promise<void> } | undefined;

  constructor(revision: ListRevision) {
    this.#revision = revision;
  }

  /** Reads the list; again, if it has changed in the meantime. @param all reads it, as it is at a revision. */
  async read(all: (revision: number) => Promise<void>): Promise<void> {
    for (let attempt = 0; attempt < mostAttempts; attempt++) {
      const { current } = this.#revision;
      // One that began before the last change may have missed it.
      if (this.#latest?.revision !== current) this.#begin(current, all);
      await this.#latest?.done;
      if (this.#revision.current === current) return;
    }
  }

  #begin(revision: number, all: (revision: number) => Promise<void>): void {
    const done = all(revision).finally(() => {
      if (this.#latest?.done === done) this.#latest = undefined;
    });
    this.#latest = { revision, done };
  }
}
