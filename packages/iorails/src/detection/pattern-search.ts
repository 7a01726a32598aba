import { endOfText, Kinds } from "./kinds.js";
import type { Condition, Program } from "./pattern-program.js";

/** A text takes more steps than one search may. */
export class TooMuchWork extends Error {
  constructor() {
    super("the text takes too many steps");
    this.name = "TooMuchWork";
  }
}

/** Visits of states that one search may make. Where all is known already, a character makes none. */
const mostVisits = 5_000_000;
/** Sets of states that are kept from one search to the next. */
const mostNodes = 2_000;

/** A set of states, and where each symbol leads from it. */
interface Node {
  readonly states: readonly number[];
  readonly edges: (Edge | undefined)[];
}

interface Edge {
  readonly node: Node;
  /** The program matches up to the place before the symbol. */
  readonly found: boolean;
}

const newline = 10;

/**
 * Searches by a program, which it makes deterministic as it goes along.
 *
 * All states are followed at once. Each set of them, and each step from one to
 * the next, is worked out once and kept. A symbol is a kind of character,
 * together with the conditions that hold at the place before it.
 */
export class Search {
  readonly #program: Program;
  readonly #kinds: Kinds;
  readonly #looks: readonly (Search | undefined)[];
  readonly #symbols = new Map<number, number>();
  readonly #nodes = new Map<string, Node>();
  #visits = 0;

  constructor(program: Program) {
    this.#program = program;
    this.#kinds = new Kinds(program.sets);
    this.#looks = program.conditions.map((condition) =>
      "program" in condition ? new Search(condition.program) : undefined,
    );
  }

  /** @throws TooMuchWork. */
  isFoundIn(points: Uint32Array): boolean {
    return this.#run(points, undefined);
  }

  /** Marks each place at which a match ends, in the direction of reading. */
  #placesIn(points: Uint32Array): Uint8Array {
    const places = new Uint8Array(points.length + 1);
    this.#run(points, places);
    return places;
  }

  #run(points: Uint32Array, places: Uint8Array | undefined): boolean {
    const { backwards, start, conditions } = this.#program;
    const { length } = points;
    const looks = this.#looks.map((look) =>
      look === undefined ? undefined : look.#placesIn(points),
    );
    this.#visits = 0;
    let node = this.#node([start]);
    for (let read = 0; read <= length; read++) {
      const place = backwards ? length - read : read;
      const kind =
        read === length
          ? endOfText
          : this.#kinds.of(points[backwards ? place - 1 : place] as number);
      const holding = conditions.length === 0 ? 0 : this.#holding(points, place, looks);
      const symbol = conditions.length === 0 ? kind : this.#symbol(kind, holding);
      const edge = node.edges[symbol] ?? this.#edge(node, symbol, kind, holding);
      if (edge.found) {
        if (places === undefined) return true;
        places[place] = 1;
      }
      node = edge.node;
    }
    return false;
  }

  /** The conditions that hold at a place, a bit each. */
  #holding(points: Uint32Array, place: number, looks: readonly (Uint8Array | undefined)[]): number {
    let holding = 0;
    const { conditions } = this.#program;
    for (let index = 0; index < conditions.length; index++) {
      const condition = conditions[index] as Condition;
      const holds =
        "program" in condition
          ? looks[index]?.[place] === 1
          : this.#holdsAt(condition, points, place);
      if (holds) holding |= 1 << index;
    }
    return holding;
  }

  #holdsAt(
    {
      place: what,
      word,
    }: Condition & { readonly word: number | undefined; readonly place: string },
    points: Uint32Array,
    place: number,
  ): boolean {
    const { length } = points;
    const isWord = (at: number): boolean =>
      at >= 0 && at < length && this.#kinds.has(this.#kinds.of(points[at] as number), word ?? -1);
    switch (what) {
      case "text start":
        return place === 0;
      case "text end":
        return place === length;
      case "last line end":
        return place === length || (place === length - 1 && points[place] === newline);
      case "line start":
        return place === 0 || points[place - 1] === newline;
      case "line end":
        return place === length || points[place] === newline;
      case "boundary":
      case "ASCII boundary":
        return isWord(place - 1) !== isWord(place);
      default:
        // In an empty text, Python finds neither a boundary nor none.
        return length > 0 && isWord(place - 1) === isWord(place);
    }
  }

  #symbol(kind: number, holding: number): number {
    const key = holding * 65_536 + kind;
    const known = this.#symbols.get(key);
    if (known !== undefined) return known;
    this.#symbols.set(key, this.#symbols.size);
    return this.#symbols.size - 1;
  }

  #edge(from: Node, symbol: number, kind: number, holding: number): Edge {
    const { states, start } = this.#program;
    const targets = new Set([start]);
    const seen = new Set(from.states);
    let found = false;
    // It grows while it is gone through.
    for (const index of seen) {
      const state = states[index];
      if (state === undefined) continue;
      if ("found" in state) found = true;
      else if ("takes" in state) {
        if (this.#kinds.has(kind, state.takes)) targets.add(state.next);
      } else if ("or" in state) seen.add(state.next).add(state.or);
      else if (((holding & (1 << state.asks)) !== 0) === state.holds) seen.add(state.next);
    }
    this.#visits += seen.size;
    if (this.#visits > mostVisits) throw new TooMuchWork();
    if (this.#nodes.size > mostNodes || this.#kinds.full || this.#symbols.size > mostNodes) {
      this.#forget();
      return { node: this.#node([...targets]), found };
    }
    const edge = { node: this.#node([...targets]), found };
    from.edges[symbol] = edge;
    return edge;
  }

  #node(states: readonly number[]): Node {
    const sorted = [...states].sort((a, b) => a - b);
    const key = sorted.join(",");
    const known = this.#nodes.get(key);
    if (known !== undefined) return known;
    const node: Node = { states: sorted, edges: [] };
    this.#nodes.set(key, node);
    return node;
  }

  #forget(): void {
    this.#nodes.clear();
    this.#symbols.clear();
    this.#kinds.forget();
  }
}
