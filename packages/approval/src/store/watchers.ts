import { Multimap } from "./multimap.js";

/** Those who wait for an approval, by its id. */
export class Watchers {
  readonly #wakes = new Multimap<() => void>();

  get size(): number {
    return this.#wakes.size;
  }

  add(id: string, wake: () => void): () => void {
    this.#wakes.add(id, wake);
    return () => this.#wakes.delete(id, wake);
  }

  /** Wakes those who wait for one approval; or for any, where it is not known which changed. */
  wake(id: string | undefined): void {
    const ids = id === undefined ? this.#wakes.keys() : [id];
    for (const each of ids) for (const wake of this.#wakes.of(each)) wake();
  }
}
