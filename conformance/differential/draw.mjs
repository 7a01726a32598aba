/** Draws from a seed. The same text draws the same. */
export class Draw {
  #state;

  /** @param {string} seed */
  constructor(seed) {
    // FNV-1a: seeds that differ in one sign draw differently.
    let state = 2166136261;
    for (let at = 0; at < seed.length; at++)
      state = Math.imul(state ^ seed.charCodeAt(at), 16777619);
    this.#state = state >>> 0;
  }

  /** From 0 to 1, without 1: the generator is mulberry32. */
  get next() {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = this.#state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** @param {number} least @param {number} most */
  whole(least, most) {
    return least + Math.floor(this.next * (most - least + 1));
  }

  /** @param {number} share */
  chance(share) {
    return this.next < share;
  }

  /** @template T @param {readonly T[]} list @returns {T} */
  of(list) {
    return /** @type {T} */ (list[this.whole(0, list.length - 1)]);
  }

  /** So many of a list, in the order drawn, none twice. @template T @param {readonly T[]} list @param {number} least @param {number} most @returns {T[]} */
  some(list, least, most) {
    const left = [...list];
    const count = Math.min(left.length, this.whole(least, most));
    return Array.from({ length: count }, () => {
      const [taken] = left.splice(this.whole(0, left.length - 1), 1);
      return /** @type {T} */ (taken);
    });
  }

  /** So many, some of them perhaps twice. @template T @param {number} least @param {number} most @param {() => T} make @returns {T[]} */
  times(least, most, make) {
    return Array.from({ length: this.whole(least, most) }, make);
  }
}
