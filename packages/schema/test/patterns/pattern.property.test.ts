import { createContext, Script } from "node:vm";
import fc from "fast-check";
import { expect, inject, it } from "vitest";
import { Meter } from "../../src/cost/meter.js";
import { backtrackingCost, trimPattern } from "../../src/patterns/backtracking.js";
import { unicodeProperty } from "../../src/patterns/code-points.js";
import { takeApart } from "../../src/patterns/lookahead.js";
import { type Pattern, PatternCompiler } from "../../src/patterns/pattern.js";
import { printPattern } from "../../src/patterns/print.js";
import { PatternError, parsePattern } from "../../src/patterns/syntax.js";

const atom = fc.constantFrom(
  "a",
  "b",
  "c",
  ".",
  "[ab]",
  "[^a]",
  "\\d",
  "\\w",
  "\\s",
  "\\b",
  "\u{1F600}",
  "\\.",
  "",
);
const quantifier = fc.constantFrom("", "*", "+", "?", "{2}", "{1,3}", "{0,2}", "{2,}", "*?", "+?");
const lookahead = (body: fc.Arbitrary<string>) =>
  fc.tuple(fc.constantFrom("(?=", "(?!"), body).map(([open, inner]) => `${open}${inner})`);
const { source } = fc.letrec<{ source: string; term: string }>((tie) => ({
  // Flat and on short texts: the engine that all is compared with does backtrack without bound.
  term: fc.oneof(
    { maxDepth: 2 },
    {
      weight: 4,
      arbitrary: fc.tuple(atom, quantifier).map(([a, q]) => (a === "" || a === "\\b" ? a : a + q)),
    },
    { weight: 2, arbitrary: fc.tuple(tie("source"), quantifier).map(([s, q]) => `(?:${s})${q}`) },
    { weight: 1, arbitrary: fc.constantFrom("^", "$") },
    { weight: 1, arbitrary: lookahead(tie("source")) },
  ),
  source: fc
    .array(
      fc.array(tie("term"), { minLength: 1, maxLength: 4 }).map((terms) => terms.join("")),
      { minLength: 1, maxLength: 3 },
    )
    .map((options) => options.join("|")),
}));
const text = fc
  .array(fc.constantFrom("a", "b", "c", ".", "5", " ", "\n", "\u{1F600}", "é"), { maxLength: 8 })
  .map((parts) => parts.join(""));

const asked: { reference?: RegExp; candidate?: string } = {};
const context = createContext({ asked });
const question = new Script("asked.reference.test(asked.candidate)");

/** What the engine says that all is compared with. It backtracks without bound, so that not every answer can be had. */
function answerOf(reference: RegExp, candidate: string): boolean | undefined {
  Object.assign(asked, { reference, candidate });
  try {
    return question.runInContext(context, { timeout: 100 }) as boolean;
  } catch (error) {
    expect(error).toMatchObject({ code: "ERR_SCRIPT_EXECUTION_TIMEOUT" });
    return undefined;
  }
}

it("matches as ECMA-262 does, whichever engine runs the pattern", { tags: "longer" }, () => {
  fc.assert(
    fc.property(source, fc.array(text, { minLength: 1, maxLength: 6 }), (pattern, texts) => {
      const reference = new RegExp(pattern, "u");
      let ours: Pattern;
      try {
        ours = new PatternCompiler(new Meter(1e9), 65_536).compile(pattern);
      } catch (error) {
        expect(error).toBeInstanceOf(PatternError);
        return;
      }
      for (const candidate of texts) {
        const answer = answerOf(reference, candidate);
        if (answer === undefined) continue;
        expect(ours.test(candidate), `${pattern} on ${JSON.stringify(candidate)}`).toBe(answer);
      }
    }),
    { numRuns: inject("long") ? 1000 : 100 },
  );
});

it("P18 takes no more steps than are proved, counted by a backtracking engine that counts", {
  tags: "longer",
}, () => {
  fc.assert(
    fc.property(source, text, (pattern, candidate) => {
      for (const expression of partsOf(pattern)) {
        const { work, degree } = backtrackingCost(expression);
        if (degree > 3) continue;
        const points = [...candidate];
        const bound = 4 * work * (points.length + 2) ** degree + 4 * work;
        expect(
          countSteps(expression, points, bound),
          `${printPattern(expression, "ecmascript")} on ${JSON.stringify(candidate)}`,
        ).toBeLessThanOrEqual(bound);
      }
    }),
    { numRuns: inject("long") ? 1000 : 100 },
  );
});

type Expression = ReturnType<typeof parsePattern>;

/** The patterns without lookahead that one comes to; none where it is refused. */
function partsOf(pattern: string): Expression[] {
  try {
    const clauses = takeApart(parsePattern(pattern, unicodeProperty)).flat();
    return clauses.map(({ expression }) => trimPattern(expression));
  } catch (error) {
    expect(error).toBeInstanceOf(PatternError);
    return [];
  }
}

/** A naive search with backtracking, which counts the tests of one code point or assertion, and gives up beyond the most. */
function countSteps(expression: Expression, points: readonly string[], most: number): number {
  let steps = 0;
  let calls = 0;
  const isWord = (at: number) => /^\w$/u.test(points[at] ?? "");
  const match = (node: Expression, at: number, next: (at: number) => boolean): boolean => {
    if (++calls > 50 * most + 1000) throw new Error(`more than ${most} calls`);
    if (steps > most) throw new Error(`more than ${most} steps`);
    switch (node.kind) {
      case "set": {
        steps++;
        const point = points[at]?.codePointAt(0);
        if (point === undefined) return false;
        for (let i = 0; i < node.set.length; i += 2) {
          if (point >= (node.set[i] as number) && point <= (node.set[i + 1] as number))
            return next(at + 1);
        }
        return false;
      }
      case "look":
        throw new Error("it was to be taken apart");
      case "start":
        steps++;
        return at === 0 && next(at);
      case "end":
        steps++;
        return at === points.length && next(at);
      case "boundary":
      case "no-boundary":
        steps++;
        return (isWord(at - 1) !== isWord(at)) === (node.kind === "boundary") && next(at);
      case "sequence": {
        const from = (index: number, place: number): boolean =>
          index === node.parts.length
            ? next(place)
            : match(node.parts[index] as Expression, place, (then) => from(index + 1, then));
        return from(0, at);
      }
      case "choice":
        return node.options.some((option) => match(option, at, next));
      case "repeat": {
        const again = (count: number, place: number): boolean => {
          if (count < node.max) {
            const went = match(node.body, place, (then) =>
              then === place && count >= node.min ? false : again(count + 1, then),
            );
            if (went) return true;
          }
          return count >= node.min && next(place);
        };
        return again(0, at);
      }
    }
  };
  const anchored =
    printPattern(expression, "ecmascript").startsWith("^") && expression.kind !== "choice";
  for (let start = 0; start <= (anchored ? 0 : points.length); start++) {
    if (match(expression, start, () => true)) break;
  }
  return steps;
}
