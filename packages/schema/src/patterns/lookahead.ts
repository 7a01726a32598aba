import { type CodePoints, complement, intersection, union } from "./code-points.js";
import { type Expression, PatternError } from "./syntax.js";
import { consumes, lengthOf, looksAhead } from "./traits.js";

/** An expression without lookahead that a text must match, or must not. */
export interface Clause {
  readonly expression: Expression;
  readonly negated: boolean;
}

/** One of these lists must hold as a whole. */
export type Clauses = readonly (readonly Clause[])[];

/** Alternatives that one pattern may come to. */
const mostAlternatives = 16;
/** Parts that may be written anew while a pattern is taken apart, and that the outcome may have. */
const mostParts = 10_000;

/**
 * Takes a pattern apart into patterns without lookahead.
 *
 * A lookahead that stands at a fixed distance from the beginning of the text
 * is a pattern of its own, or the negation of one. One that asks for a single
 * code point narrows what follows it.
 *
 * @throws PatternError where neither is so.
 */
export function takeApart(expression: Expression): Clauses {
  return looksAhead(expression)
    ? new Parting().takeApart(expression)
    : [[{ expression, negated: false }]];
}

class Parting {
  private left = mostParts;

  takeApart(expression: Expression): Clauses {
    const found = this.alternatives([this.narrowed(expression)]);
    const clauses = found.map((parts) => this.clausesOf(parts));
    for (const { expression } of clauses.flat()) this.measure(expression);
    return clauses;
  }

  private clausesOf(parts: readonly Expression[]): readonly Clause[] {
    const clauses: Clause[] = [];
    const passed: Expression[] = [];
    const fixed = fixedParts(parts);
    for (const part of parts.slice(0, fixed)) {
      if (part.kind !== "look") passed.push(part);
      else {
        const expression = sequence([...passed, part.body]);
        clauses.push({ expression, negated: part.negative });
      }
    }
    // From the end, so that none is left in what another narrows.
    let rest: readonly Expression[] = [];
    for (const part of parts.slice(fixed).toReversed()) {
      const next = part.kind === "look" ? nextOf(part) : undefined;
      if (part.kind !== "look") rest = [part, ...rest];
      else if (next !== undefined) rest = [this.restricted(rest, next)];
      else throw cannot();
    }
    return [{ expression: sequence([...passed, ...rest]), negated: false }, ...clauses];
  }

  /** Writes each group with lookahead in it out into alternatives of the whole. */
  private alternatives(parts: readonly Expression[]): readonly (readonly Expression[])[] {
    const index = parts.findIndex((part) => part.kind !== "look" && looksAhead(part));
    if (index < 0) return [flat(parts)];
    const before = parts.slice(0, index);
    const after = parts.slice(index + 1);
    return inner(parts[index] as Expression).flatMap((replaced) => {
      const found = this.alternatives([...before, ...replaced, ...after]);
      if (found.length > mostAlternatives) throw cannot();
      return found;
    });
  }

  /** Narrows what follows each lookahead for one code point, where something must follow it. */
  private narrowed(expression: Expression): Expression {
    switch (expression.kind) {
      case "sequence": {
        let parts: Expression[] = [];
        for (const part of expression.parts.toReversed()) {
          const next = part.kind === "look" ? nextOf(part) : undefined;
          parts =
            next !== undefined && parts.some(consumes)
              ? [this.restricted(parts, next)]
              : [this.narrowed(part), ...parts];
        }
        return sequence(parts);
      }
      case "choice":
        return {
          kind: "choice",
          options: expression.options.map((option) => this.narrowed(option)),
        };
      case "repeat":
        return { ...expression, body: this.narrowed(expression.body) };
      default:
        return expression;
    }
  }

  /** Parts that begin with one of the code points, or match nothing where the text may end. */
  private restricted(parts: readonly Expression[], next: Next): Expression {
    this.spend(1 + parts.length);
    const [part, ...rest] = parts;
    if (part === undefined) {
      const set: Expression = { kind: "set", set: next.set };
      return next.end ? { kind: "choice", options: [set, { kind: "end" }] } : set;
    }
    switch (part.kind) {
      case "set":
        return sequence([{ kind: "set", set: intersection(part.set, next.set) }, ...rest]);
      case "end":
        return next.end ? sequence(parts) : { kind: "set", set: [] };
      case "sequence":
        return this.restricted([...part.parts, ...rest], next);
      case "choice": {
        const options = part.options.map((option) => this.restricted([option, ...rest], next));
        return { kind: "choice", options };
      }
      case "repeat": {
        const { body, min, max } = part;
        if (max === 0) return this.restricted(rest, next);
        if (!consumes(body)) throw cannot();
        const again: Expression = {
          kind: "repeat",
          body,
          min: Math.max(0, min - 1),
          max: max - 1,
        };
        const once = sequence([this.restricted([body], next), again, ...rest]);
        return min > 0 ? once : { kind: "choice", options: [once, this.restricted(rest, next)] };
      }
      default:
        // An assertion beside it asks about the same place.
        return sequence([part, this.restricted(rest, next)]);
    }
  }

  /** Parts are shared in memory, and are not where they are written out. */
  private measure(part: Expression): void {
    this.spend(1);
    if (part.kind === "sequence") for (const inner of part.parts) this.measure(inner);
    else if (part.kind === "choice") for (const inner of part.options) this.measure(inner);
    else if (part.kind === "repeat") this.measure(part.body);
  }

  private spend(parts: number): void {
    this.left -= parts;
    if (this.left < 0) throw cannot();
  }
}

function inner(part: Expression): readonly (readonly Expression[])[] {
  if (part.kind === "sequence") return [part.parts];
  if (part.kind === "choice" && part.options.length <= mostAlternatives) {
    return part.options.map((option) => [option]);
  }
  if (part.kind === "repeat" && part.max === 1) {
    return part.min === 1 ? [[part.body]] : [[part.body], []];
  }
  throw cannot();
}

/** The continuations that are allowed: code points, or the end of the text. */
interface Next {
  readonly set: CodePoints;
  readonly end: boolean;
}

/** The continuations that a lookahead for one code point, or for the end, allows. */
function nextOf({ negative, body }: Extract<Expression, { kind: "look" }>): Next | undefined {
  const options = body.kind === "choice" ? body.options : [body];
  let set: CodePoints = [];
  let end = false;
  for (const option of options) {
    const only = option.kind === "sequence" && option.parts.length === 1 ? option.parts[0] : option;
    if (only?.kind === "set") set = union(set, only.set);
    else if (only?.kind === "end") end = true;
    else return undefined;
  }
  return negative ? { set: complement(set), end: !end } : { set, end };
}

/** The number of parts up to which each stands at a fixed distance from the beginning of the text. */
function fixedParts(parts: readonly Expression[]): number {
  if (parts[0]?.kind !== "start") return 0;
  const index = parts.findIndex((part) =>
    part.kind === "look" ? looksAhead(part.body) : lengthOf(part) === undefined,
  );
  return index < 0 ? parts.length : index;
}

function flat(parts: readonly Expression[]): readonly Expression[] {
  return parts.flatMap((part) => (part.kind === "sequence" ? flat(part.parts) : [part]));
}

function sequence(parts: readonly Expression[]): Expression {
  return { kind: "sequence", parts: flat(parts) };
}

function cannot(): PatternError {
  return new PatternError("it uses lookahead that cannot be taken apart into patterns without it");
}
