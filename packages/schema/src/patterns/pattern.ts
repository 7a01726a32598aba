import { RE2JS } from "re2js";
import type { Meter } from "../cost/meter.js";
import { isPassing } from "../document/inadmissible.js";
import { backtrackingCost, trimPattern } from "./backtracking.js";
import { takeApart } from "./lookahead.js";
import { printPattern } from "./print.js";
import { type Expression, PatternError, parsePattern } from "./syntax.js";
import { UnicodeAllowance } from "./unicode-allowance.js";

/** A compiled pattern. */
export interface Pattern {
  readonly test: Test;
  /** Ajv keys its patterns by this text. */
  readonly toString: () => string;
}

/** Measured where RE2 has to follow all its states at once. */
const stepsPerInstruction = 8;
/** Native steps are this much cheaper than the meter's. */
const nativeDiscount = 4;
type Test = (text: string) => boolean;

/** The most steps that backtracking worse than linear may take, by its bound. */
const mostBacktracking = 4096;
const maxSourceLength = 4096;
/** Instructions of an RE2 program: its time is this many times the length of the text. */
const maxInstructions = 1000;

/** Numbers in the tables of `\\p{…}` that the patterns of one schema may use: some 70 times `\\p{L}`. */
const mostUnicode = 100_000;
/** Instructions of all RE2 programs of one schema. */
const mostInstructions = 20_000;

/**
 * Compiles the patterns of one schema to engines that run them at bounded cost.
 *
 * The native engine runs a pattern if backtracking is proved linear, or the
 * text is so short that its polynomial is small; else RE2 does, which keeps a
 * set of states and never goes back. Both get the expression written out
 * anew, so what was proved is what runs.
 */
export class PatternCompiler {
  private readonly meter: Meter;
  private readonly maxTextLength: number;
  private readonly unicode = new UnicodeAllowance(mostUnicode);
  private instructions = mostInstructions;

  /** @param maxTextLength UTF-16 code units that RE2 is given; a longer text ends the check. */
  constructor(meter: Meter, maxTextLength: number) {
    this.meter = meter;
    this.maxTextLength = maxTextLength;
  }

  /** @throws PatternError when neither engine can hold it to a bound. */
  compile(source: string): Pattern {
    if (source.length > maxSourceLength) {
      throw new PatternError(`it is longer than ${maxSourceLength} characters`);
    }
    const alternatives = takeApart(parsePattern(source, (name) => this.unicode.use(name))).map(
      (clauses) =>
        clauses.map(({ expression, negated }) => {
          const test = this.chooseEngine(trimPattern(expression));
          return negated ? (text: string) => !test(text) : test;
        }),
    );
    const [first, ...others] = alternatives as [Test[], ...Test[][]];
    const test: Test =
      others.length === 0 && first.length === 1
        ? (first[0] as Test)
        : (text) => alternatives.some((tests) => tests.every((holds) => holds(text)));
    return { test, toString: () => source };
  }

  private chooseEngine(expression: Expression): Test {
    const { meter } = this;
    const { work, degree } = backtrackingCost(expression);
    if (degree > 3) return this.re2(expression);
    const native = new RegExp(printPattern(expression, "ecmascript"), "u");
    if (degree <= 1) {
      const perCodeUnit = degree === 0 ? 0 : work / nativeDiscount;
      const fixed = degree === 0 ? work / nativeDiscount : 0;
      return (text) => {
        meter.take(fixed + perCodeUnit * text.length);
        return native.test(text);
      };
    }
    const shortText = Math.floor((mostBacktracking / work) ** (1 / degree));
    const linear = this.re2(expression);
    return (text) => {
      if (text.length > shortText) return linear(text);
      meter.take((work * text.length ** degree) / nativeDiscount);
      return native.test(text);
    };
  }

  private re2(expression: Expression): Test {
    const { meter, maxTextLength } = this;
    if (unrolledSize(expression) > maxInstructions) throw tooLarge();
    let program: RE2JS;
    try {
      program = RE2JS.compile(printPattern(expression, "re2"));
    } catch (error) {
      if (isPassing(error)) throw error;
      throw new PatternError("RE2 cannot run it");
    }
    const instructions = program.programSize();
    if (instructions > maxInstructions) throw tooLarge();
    this.instructions -= instructions;
    if (this.instructions < 0) {
      throw new PatternError(
        `the schema's patterns come to more than ${mostInstructions} instructions of RE2`,
      );
    }
    return (text) => {
      // To say that it does not match would let it through where that is asked for.
      const isLong = text.length > maxTextLength;
      meter.take(
        isLong ? Number.POSITIVE_INFINITY : stepsPerInstruction * instructions * text.length,
      );
      return program.test(text);
    };
  }
}

function tooLarge(): PatternError {
  return new PatternError(
    `backtracking on it is not bounded, and for RE2 it is larger than ${maxInstructions} instructions`,
  );
}

function unrolledSize(expression: Expression): number {
  switch (expression.kind) {
    case "sequence":
      return expression.parts.reduce((size, part) => size + unrolledSize(part), 1);
    case "choice":
      return expression.options.reduce((size, option) => size + unrolledSize(option), 1);
    case "repeat": {
      const times = expression.max === Number.POSITIVE_INFINITY ? expression.min : expression.max;
      return 1 + unrolledSize(expression.body) * Math.max(1, times);
    }
    default:
      return 1;
  }
}
