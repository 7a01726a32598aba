export interface LatestOptions<T> {
  /** Not more than so many. */
  readonly limit: number;
  readonly sizeOf: (thing: T) => number;
  /** Not larger than so much together. */
  readonly largest?: number | undefined;
}

/** The last of many things, inside bounds. */
export class Latest<T> {
  /** Those that had to go. */
  leftOut = 0;
  readonly #options: LatestOptions<T>;
  #things: T[] = [];
  #start = 0;
  #size = 0;

  constructor(options: LatestOptions<T>) {
    this.#options = options;
  }

  add(thing: T): void {
    const { limit, sizeOf, largest = Number.POSITIVE_INFINITY } = this.#options;
    this.#things.push(thing);
    this.#size += sizeOf(thing);
    while (this.#things.length - this.#start > limit || this.#size > largest) {
      this.#size -= sizeOf(this.#things[this.#start] as T);
      this.#start++;
      this.leftOut++;
    }
    // Taking from the front one by one would move all the others each time.
    if (this.#start > 1_000 && this.#start * 2 > this.#things.length) {
      this.#things.splice(0, this.#start);
      this.#start = 0;
    }
  }

  /** Other things in their place, inside the same bounds. */
  replace(things: readonly T[]): void {
    this.#things = [];
    this.#start = 0;
    this.#size = 0;
    for (const thing of things) this.add(thing);
  }

  list(): readonly T[] {
    return this.#things.slice(this.#start);
  }
}
