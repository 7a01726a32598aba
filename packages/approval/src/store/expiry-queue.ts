/** So few are not worth a look. */
const leastTrimmed = 64;

/** Ids, the one that expires first in front. An id begins with its time, so that texts compare as times do. */
export class ExpiryQueue {
  /** A binary heap. */
  readonly #ids: string[] = [];

  add(id: string): void {
    const ids = this.#ids;
    let at = ids.push(id) - 1;
    while (at > 0) {
      const above = (at - 1) >> 1;
      const parent = ids[above] as string;
      if (parent <= id) break;
      ids[at] = parent;
      at = above;
    }
    ids[at] = id;
  }

  /** Drops the ids that are needed no more, once they are most of it. */
  trim(needed: { readonly size: number; readonly has: (id: string) => boolean }): void {
    if (this.#ids.length < 2 * needed.size + leastTrimmed) return;
    for (const id of this.#ids.splice(0)) if (needed.has(id)) this.add(id);
  }

  /** Takes out what has expired, in order, and no more than `most` of it. */
  take(isExpired: (id: string) => boolean, most = Number.POSITIVE_INFINITY): readonly string[] {
    const taken: string[] = [];
    while (taken.length < most) {
      const [first] = this.#ids;
      if (first === undefined || !isExpired(first)) break;
      taken.push(first);
      this.#removeFirst();
    }
    return taken;
  }

  #removeFirst(): void {
    const ids = this.#ids;
    const last = ids.pop() as string;
    if (ids.length === 0) return;
    let at = 0;
    for (let below = 1; below < ids.length; below = 2 * at + 1) {
      if (below + 1 < ids.length && (ids[below + 1] as string) < (ids[below] as string)) below++;
      const child = ids[below] as string;
      if (last <= child) break;
      ids[at] = child;
      at = below;
    }
    ids[at] = last;
  }
}
