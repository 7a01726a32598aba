/** Values by key, as far as there is room: of more, those that were used longest ago go. */
export class Latest<Value> {
  readonly #room: number;
  readonly #sizeOf: (value: Value, key: string) => number;
  readonly #gone: (value: Value) => void;
  readonly #kept = new Map<string, Value>();
  #taken = 0;

  /** @param gone is told of each value that goes. */
  constructor(
    room: number,
    sizeOf: (value: Value, key: string) => number = () => 1,
    gone: (value: Value) => void = () => {},
  ) {
    this.#room = room;
    this.#sizeOf = sizeOf;
    this.#gone = gone;
  }

  get(key: string): Value | undefined {
    const value = this.#kept.get(key);
    if (value === undefined) return undefined;
    this.#kept.delete(key);
    this.#kept.set(key, value);
    return value;
  }

  /** False if there would be no room for it, were it the only one: it is not kept. */
  set(key: string, value: Value): boolean {
    const size = this.#sizeOf(value, key);
    if (size > this.#room) return false;
    const before = this.#kept.get(key);
    if (before !== undefined) this.#drop(key, before);
    this.#kept.set(key, value);
    this.#taken += size;
    for (const [oldest, other] of this.#kept) {
      if (this.#taken <= this.#room) break;
      this.#drop(oldest, other);
    }
    return true;
  }

  #drop(key: string, value: Value): void {
    this.#kept.delete(key);
    this.#taken -= this.#sizeOf(value, key);
    this.#gone(value);
  }
}
