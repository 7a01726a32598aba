import type { Guard } from "./guard.js";
import { PatternIndex } from "./pattern-index.js";

/**
 * Guards in order, and of each tool those that cover it.
 *
 * The guards of other tools are not visited: they cost a call nothing.
 */
export class Policy {
  readonly guards: readonly Guard[];
  /** The guards that cover every tool: all that there are for a tool that no other guard covers. */
  readonly general: readonly Guard[];
  /** The names that the guards' records can carry. */
  readonly names: ReadonlySet<string>;
  readonly #general: readonly number[];
  /** The positions of the guards that are limited to a name, and to a pattern. */
  readonly #byName = new Map<string, number[]>();
  readonly #byPattern: PatternIndex<number>;

  constructor(guards: readonly Guard[]) {
    this.guards = guards;
    this.#general = [...guards.keys()].filter(
      (position) => guards[position]?.facts.only.length === 0,
    );
    this.general = this.#general.map((position) => guards[position] as Guard);
    this.names = new Set(guards.flatMap(({ names }) => names));
    const patterns: [pattern: string, position: number][] = [];
    for (const [position, { facts }] of guards.entries()) {
      // What a guard covers is in each of its lists, so that one of them finds it.
      const [only] = facts.only;
      for (const name of only?.names ?? []) {
        const positions = this.#byName.get(name);
        if (positions === undefined) this.#byName.set(name, [position]);
        else positions.push(position);
      }
      for (const pattern of only?.patterns ?? []) patterns.push([pattern, position]);
    }
    this.#byPattern = new PatternIndex(patterns);
  }

  /** Returns the guards that cover a tool, in order; `general` itself, if there are no others. */
  covering(toolName: string): readonly Guard[] {
    const limited = this.#limitedTo(toolName);
    if (limited.length === 0) return this.general;
    const positions = [...this.#general, ...limited].sort((one, other) => one - other);
    return positions.map((position) => this.guards[position] as Guard);
  }

  /** The positions of the guards that are limited to some tools, of which this is one. */
  #limitedTo(toolName: string): readonly number[] {
    const found = new Set(this.#byName.get(toolName));
    let group = this.#byPattern.at(toolName);
    for (; group !== undefined; group = group.outer) {
      for (const position of group.entries) found.add(position);
    }
    return [...found].filter((position) => this.guards[position]?.covers(toolName) === true);
  }
}
