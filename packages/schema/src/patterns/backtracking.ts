import { type CodePoints, endOfText, nothing, overlap, union } from "./code-points.js";
import type { Expression } from "./syntax.js";

/**
 * The bound on a backtracking engine for a text of n code points: at most
 * `work * n ** degree` steps. Infinite degree: nothing is proved.
 */
export interface BacktrackingCost {
  readonly work: number;
  readonly degree: number;
}

interface Analysis {
  /** The number of ways of matching that can stay alive after the next code point is seen. */
  readonly ways: number;
  /** Steps to try all of it once, each loop going round once. */
  readonly work: number;
  /** The number of loops that may end at more than one place. */
  readonly degree: number;
  readonly loops: boolean;
}

const hopeless: Analysis = {
  ways: 1,
  work: 1,
  degree: Number.POSITIVE_INFINITY,
  loops: true,
};
const mostWays = 4096;
/** A bounded repetition that may end in more places than this counts as a loop. */
const fewExits = 16;
/** A bounded repetition of at most so many steps counts as work, not as a loop. */
const shortLoop = 256;

/**
 * A bound on backtracking, from which next code points each choice and each
 * loop's end can survive.
 *
 * A loop whose body and whose continuation cannot start alike ends at one
 * place only: every other way out dies on its first code point. That is
 * one-unambiguity (Brüggemann-Klein and Wood, 1998), asked of the syntax and
 * not of its automaton, so that two ways round one loop are seen as two.
 */
export function backtrackingCost(expression: Expression): BacktrackingCost {
  const { ways, work, degree, loops } = analyse(expression, nothing);
  const search = startsAnchored(expression) ? 0 : 1;
  return { work: work + ways, degree: degree + search + (loops ? 1 : 0) };
}

/**
 * The shortest pattern that matches the same texts: what may follow without
 * an end in sight decides nothing.
 */
export function trimPattern(expression: Expression): Expression {
  switch (expression.kind) {
    case "sequence": {
      const parts = [...expression.parts];
      for (;;) {
        const last = parts.pop();
        if (last === undefined) return { kind: "sequence", parts };
        const trimmed = trimPattern(last);
        if (trimmed.kind === "sequence" && trimmed.parts.length === 0) continue;
        return { kind: "sequence", parts: [...parts, trimmed] };
      }
    }
    case "choice":
      return { kind: "choice", options: expression.options.map(trimPattern) };
    case "repeat":
      if (expression.min === 0) return { kind: "sequence", parts: [] };
      return expression.min === 1
        ? trimPattern(expression.body)
        : { ...expression, max: expression.min };
    default:
      return expression;
  }
}

function analyse(expression: Expression, follow: CodePoints): Analysis {
  switch (expression.kind) {
    case "sequence":
      return analyseSequence(expression.parts, follow);
    case "choice":
      return analyseChoice(expression.options, follow);
    case "repeat":
      return analyseRepeat(expression, follow);
    default:
      return { ways: 1, work: 1, degree: 0, loops: false };
  }
}

function analyseSequence(parts: readonly Expression[], follow: CodePoints): Analysis {
  let next = follow;
  const analyses: Analysis[] = [];
  for (let i = parts.length - 1; i >= 0; i--) {
    const part = parts[i] as Expression;
    // From the back; each put in front would move all the others.
    analyses.push(analyse(part, next));
    next = startOf(part, next);
  }
  let ways = 1;
  let work = 0;
  let degree = 0;
  let loops = false;
  for (const part of analyses.reverse()) {
    work += ways * part.work;
    ways *= part.ways;
    degree += part.degree;
    loops ||= part.loops;
  }
  return ways > mostWays ? hopeless : { ways, work, degree, loops };
}

function analyseChoice(options: readonly Expression[], follow: CodePoints): Analysis {
  let ways = 0;
  let most = 1;
  let work = 0;
  let degree = 0;
  let loops = false;
  let apart = true;
  let seen: CodePoints = nothing;
  for (const option of options) {
    const analysis = analyse(option, follow);
    const start = startOf(option, follow);
    if (overlap(seen, start)) apart = false;
    seen = union(seen, start);
    ways += analysis.ways;
    most = Math.max(most, analysis.ways);
    work += analysis.work + 1;
    degree = Math.max(degree, analysis.degree);
    loops ||= analysis.loops;
  }
  if (!apart && ways > mostWays) return hopeless;
  return { ways: apart ? most : ways, work, degree, loops };
}

function analyseRepeat(
  { body, min, max }: Extract<Expression, { kind: "repeat" }>,
  follow: CodePoints,
): Analysis {
  if (max === 0) return { ways: 1, work: 1, degree: 0, loops: false };
  const start = startOf(body, nothing);
  const once = analyse(body, max === 1 ? follow : union(start, follow));
  const oneEnd = min === max || !(overlap(start, follow) || isNullable(body));
  if (max === 1) {
    return oneEnd ? once : { ...once, ways: once.ways + 1, work: once.work + 1 };
  }
  if (isNullable(body) || once.degree > 0) return hopeless;
  if (once.ways === 1) {
    const unrolled = (once.work + 1) * max;
    const loops = once.loops || unrolled > shortLoop;
    const work = loops ? once.work + 1 : unrolled;
    if (oneEnd) return { ways: 1, work, degree: 0, loops };
    const exits = max - min + 1;
    return exits <= fewExits
      ? { ways: exits, work, degree: 0, loops }
      : { ways: 1, work, degree: 1, loops: true };
  }
  let ways = 0;
  let work = 0;
  let power = 1;
  for (let count = 1; count <= max; count++) {
    work += power * once.work;
    power *= once.ways;
    if (power > mostWays) return hopeless;
    ways = oneEnd ? power : ways + power;
  }
  return { ways: ways + 1, work, degree: 0, loops: once.loops };
}

/** The code points that may come next where the expression, and then `follow`, is still to match. */
function startOf(expression: Expression, follow: CodePoints): CodePoints {
  switch (expression.kind) {
    case "set":
      return expression.set;
    case "end":
      return [endOfText, endOfText];
    case "sequence": {
      let start = follow;
      for (let i = expression.parts.length - 1; i >= 0; i--) {
        start = startOf(expression.parts[i] as Expression, start);
      }
      return start;
    }
    case "choice":
      return expression.options.reduce<CodePoints>(
        (start, option) => union(start, startOf(option, follow)),
        nothing,
      );
    case "repeat":
      if (expression.max === 0) return follow;
      return expression.min === 0
        ? union(startOf(expression.body, follow), follow)
        : startOf(expression.body, follow);
    default:
      // Assertions only narrow; to ignore them is to bound from above.
      return follow;
  }
}

function isNullable(expression: Expression): boolean {
  switch (expression.kind) {
    case "set":
    case "end":
      return false;
    case "sequence":
      return expression.parts.every(isNullable);
    case "choice":
      return expression.options.some(isNullable);
    case "repeat":
      return expression.min === 0 || isNullable(expression.body);
    default:
      return true;
  }
}

function startsAnchored(expression: Expression): boolean {
  switch (expression.kind) {
    case "start":
      return true;
    case "sequence":
      return expression.parts[0] !== undefined && startsAnchored(expression.parts[0]);
    case "choice":
      return expression.options.every(startsAnchored);
    default:
      return false;
  }
}
