/** The entries whose patterns begin with the same text before their first wildcard. */
export interface PatternGroup<Entry> {
  readonly prefix: string;
  readonly entries: readonly Entry[];
  /** The group of the next shorter text that this one begins with. */
  readonly outer: PatternGroup<Entry> | undefined;
}

/**
 * Entries by pattern. Of all patterns, a name is compared only with those that
 * begin as it does: looking them up costs the logarithm of their number.
 */
export class PatternIndex<Entry> {
  /** Sorted by their texts, in the order of code units. */
  readonly #groups: readonly PatternGroup<Entry>[];

  constructor(entries: Iterable<readonly [pattern: string, entry: Entry]>) {
    const byPrefix = new Map<string, Entry[]>();
    for (const [pattern, entry] of entries) {
      const prefix = literalPrefix(pattern);
      const alike = byPrefix.get(prefix);
      if (alike === undefined) byPrefix.set(prefix, [entry]);
      else alike.push(entry);
    }
    const groups: PatternGroup<Entry>[] = [];
    let outer: PatternGroup<Entry> | undefined;
    for (const prefix of [...byPrefix.keys()].sort()) {
      // A text is sorted directly behind those that it begins with, and what else begins with them.
      while (outer !== undefined && !prefix.startsWith(outer.prefix)) outer = outer.outer;
      outer = Object.freeze({ prefix, entries: byPrefix.get(prefix) ?? [], outer });
      groups.push(outer);
    }
    this.#groups = groups;
  }

  /** Returns the group of the longest text that the name begins with. Its `outer` leads to all others. */
  at(name: string): PatternGroup<Entry> | undefined {
    let before = 0;
    let after = this.#groups.length;
    while (before < after) {
      const middle = (before + after) >>> 1;
      if ((this.#groups[middle] as PatternGroup<Entry>).prefix <= name) before = middle + 1;
      else after = middle;
    }
    // Each text that the name begins with is one that this last text before the name begins with.
    let group = this.#groups[before - 1];
    while (group !== undefined && !name.startsWith(group.prefix)) group = group.outer;
    return group;
  }
}

function literalPrefix(pattern: string): string {
  const wildcard = pattern.search(/[*?]/);
  return wildcard === -1 ? pattern : pattern.slice(0, wildcard);
}
