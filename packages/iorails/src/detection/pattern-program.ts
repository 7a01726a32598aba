import { type Characters, keyOf } from "./characters.js";
import { type Expression, PatternError, type Place } from "./expression.js";

/** A state of a program. `next` and `or` are indexes of states. */
export type State =
  /** Takes a character of the set with this index. */
  | { readonly takes: number; readonly next: number }
  /** Goes on only where the condition with this index holds, or does not. */
  | { readonly asks: number; readonly holds: boolean; readonly next: number }
  | { readonly next: number; readonly or: number }
  | { readonly found: true };

/** The facts of a place in a text that a pattern can ask for. */
export type Condition =
  /** `word` is the index of the set that boundaries are read by. */
  | { readonly place: Place; readonly word: number | undefined }
  /** A program that reads up to the place or, backwards, from the text's end down to it. */
  | { readonly program: Program };

/** A pattern as states that are all followed at once, so that nothing is ever read twice. */
export interface Program {
  readonly states: readonly State[];
  readonly start: number;
  readonly backwards: boolean;
  readonly sets: readonly Characters[];
  readonly conditions: readonly Condition[];
}

const mostStates = 5_000;
/** They are the bits of a number. */
const mostConditions = 30;

/**
 * Compiles an expression.
 *
 * @throws PatternError for one that comes to too many states.
 */
export function compileProgram(expression: Expression): Program {
  return new Compiler({ left: mostStates }, false).program(expression);
}

class Compiler {
  readonly #allowance: { left: number };
  /** Reads from the right to the left. */
  readonly #backwards: boolean;
  readonly #states: State[] = [];
  readonly #sets = new Map<string, { readonly index: number; readonly set: Characters }>();
  readonly #conditions: Condition[] = [];
  readonly #places = new Map<Place, number>();

  /** @param allowance the states that the pattern may still have, those of programs inside it included. */
  constructor(allowance: { left: number }, backwards: boolean) {
    this.#allowance = allowance;
    this.#backwards = backwards;
  }

  program(expression: Expression): Program {
    const end = this.#add({ found: true });
    const start = this.#compile(expression, end);
    return {
      states: this.#states,
      start,
      backwards: this.#backwards,
      sets: Array.from(this.#sets.values(), ({ set }) => set),
      conditions: this.#conditions,
    };
  }

  #add(state: State): number {
    if (--this.#allowance.left < 0) {
      throw new PatternError(`is too large: it comes to more than ${mostStates} states`);
    }
    return this.#states.push(state) - 1;
  }

  /** The state to begin at for what is left to read: the expression, and then from `next` on. */
  #compile(expression: Expression, next: number): number {
    switch (expression.kind) {
      case "characters":
        return this.#add({ takes: this.#set(expression.characters), next });
      case "place":
        return this.#add({ asks: this.#place(expression.place), holds: true, next });
      case "look": {
        const { behind, negative, body } = expression;
        const program = new Compiler(this.#allowance, !behind).program(body);
        const asks = this.#condition({ program });
        return this.#add({ asks, holds: !negative, next });
      }
      case "sequence": {
        const parts = this.#backwards ? expression.parts : expression.parts.toReversed();
        return parts.reduce((after, part) => this.#compile(part, after), next);
      }
      case "choice":
        return expression.options
          .map((option) => this.#compile(option, next))
          .reduce((or, each) => this.#add({ next: each, or }));
      case "repeat":
        return this.#repeat(expression, next);
    }
  }

  #repeat({ body, min, max }: Expression & { readonly kind: "repeat" }, next: number): number {
    let from = next;
    if (max === Number.POSITIVE_INFINITY) {
      // Its way back is known only when its body is there.
      const loop = this.#add({ next, or: next });
      this.#states[loop] = { next: this.#compile(body, loop), or: next };
      from = loop;
    } else {
      for (let times = min; times < max; times++) {
        from = this.#add({ next: this.#compile(body, from), or: next });
      }
    }
    for (let times = 0; times < min; times++) {
      const before = this.#states.length;
      from = this.#compile(body, from);
      // What has no states has none however often it is repeated.
      if (this.#states.length === before) break;
    }
    return from;
  }

  #set(set: Characters): number {
    const key = keyOf(set);
    const known = this.#sets.get(key);
    if (known !== undefined) return known.index;
    const index = this.#sets.size;
    this.#sets.set(key, { index, set });
    return index;
  }

  #place(place: Place): number {
    const known = this.#places.get(place);
    if (known !== undefined) return known;
    const word = place.endsWith("boundary") ? this.#set(wordsOf(place)) : undefined;
    const index = this.#condition({ place, word });
    this.#places.set(place, index);
    return index;
  }

  #condition(condition: Condition): number {
    if (this.#conditions.length === mostConditions) {
      throw new PatternError(`asks more than ${mostConditions} things of one place`);
    }
    return this.#conditions.push(condition) - 1;
  }
}

function wordsOf(place: Place): Characters {
  const ranges = [{ letter: "w", negated: false }] as const;
  return { ranges, negated: false, ignoreCase: false, ascii: place.includes("ASCII") };
}
