import { RE2JS } from "re2js";
import type { Meter } from "../meter.js";
import { backtrackingCost, trimPattern } from "./backtracking.js";
import { printPattern } from "./print.js";
import { type Expression, PatternError, parsePattern } from "./syntax.js";

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

/** Steps that go uncounted, so that a short text costs no bookkeeping. */
const freeSteps = 256;
/** The most steps that backtracking worse than linear may take, by its bound. */
const mostBacktracking = 4096;
const maxSourceLength = 4096;
/** Instructions of an RE2 program: its time is this many times the length of the text. */
const maxInstructions = 1000;

/**
 * Compiles a pattern to an engine that runs it at bounded cost.
 *
 * Where backtracking is proved linear, or the text is so short that its
 * polynomial is small, the native engine runs it; else RE2, which keeps a set
 * of states and never goes back. Both get the expression written out anew, so
 * what was proved is what runs.
 *
 * @param maxTextLength UTF-16 code units that RE2 is given; a longer text does not match.
 * @throws PatternError when neither engine can hold it to a bound.
 */
export function compilePattern(source: string, meter: Meter, maxTextLength: number): Pattern {
  if (source.length > maxSourceLength) {
    throw new PatternError(`it is longer than ${maxSourceLength} characters`);
  }
  const expression = trimPattern(parsePattern(source));
  return { test: chooseEngine(expression, meter, maxTextLength), toString: () => source };
}

function chooseEngine(expression: Expression, meter: Meter, maxTextLength: number): Test {
  const { work, degree } = backtrackingCost(expression);
  if (degree > 3) return re2(expression, meter, maxTextLength);
  const native = new RegExp(printPattern(expression, "ecmascript"), "u");
  if (degree <= 1) {
    const perCodeUnit = degree === 0 ? 0 : work / nativeDiscount;
    const fixed = degree === 0 ? work / nativeDiscount : 0;
    return (text) => {
      const steps = fixed + perCodeUnit * text.length;
      if (steps > freeSteps) meter.take(steps);
      return native.test(text);
    };
  }
  const shortText = Math.floor((mostBacktracking / work) ** (1 / degree));
  const linear = re2(expression, meter, maxTextLength);
  return (text) => (text.length <= shortText ? native.test(text) : linear(text));
}

function re2(expression: Expression, meter: Meter, maxTextLength: number): Test {
  if (unrolledSize(expression) > maxInstructions) throw tooLarge();
  let program: RE2JS;
  try {
    program = RE2JS.compile(printPattern(expression, "re2"));
  } catch {
    throw new PatternError("RE2 cannot run it");
  }
  const instructions = program.programSize();
  if (instructions > maxInstructions) throw tooLarge();
  return (text) => {
    if (text.length > maxTextLength) return false;
    meter.take(stepsPerInstruction * instructions * text.length);
    return program.test(text);
  };
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
