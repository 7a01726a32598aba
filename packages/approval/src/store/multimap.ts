/** Values by key: each once, in the order in which they came. */
export class Multimap<Value extends string | (() => void)> {
  /** Most keys have one value: a set for each would take most of the memory. */
  readonly #values = new Map<string, Value | Set<Value>>();

  /** The number of keys. */
  get size(): number {
    return this.#values.size;
  }

  keys(): Iterable<string> {
    return this.#values.keys();
  }

  of(key: string): Iterable<Value> {
    const there = this.#values.get(key);
    if (there === undefined) return [];
    return there instanceof Set ? there : [there];
  }

  add(key: string, value: Value): void {
    const there = this.#values.get(key);
    if (there === undefined) this.#values.set(key, value);
    else if (there instanceof Set) there.add(value);
    else if (there !== value) this.#values.set(key, new Set([there, value]));
  }

  delete(key: string, value: Value): void {
    const there = this.#values.get(key);
    const isLast = there instanceof Set ? there.delete(value) && there.size === 0 : there === value;
    if (isLast) this.#values.delete(key);
  }
}
