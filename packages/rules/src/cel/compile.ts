import type { JsonObject, ToolstileError } from "@toolstile/core";
import {
  boolean,
  invalidOption,
  type OptionTable,
  object,
  optionError,
  ownValue,
  quoted,
  readOptions,
  required,
  text as textOption,
} from "@toolstile/core/provider";
import { Checker } from "./check.js";
import { CheckFault } from "./check-fault.js";
import { theEnvironment } from "./environment.js";
import { type Expr, identifier, nodesOf, type SourceInfo } from "./expression-tree.js";
import { type ExpressionFailureKind, kindOfError } from "./fault.js";
import { countNodes, meterMacros } from "./instrument.js";
import { literalPatterns } from "./literal-patterns.js";
import { type Cel, loadCel } from "./load.js";
import { type ExpressionPlace, placeIn, spoken } from "./place.js";
import { typeOfSchema } from "./schema-types.js";
import { shortWay } from "./short-way.js";

export interface ExpressionOptions {
  /**
   * The names that the expression may use, each with a JSON Schema of its values; `true` says nothing about them.
   *
   * A member that a schema's `properties` do not list is an error, unless the
   * schema says that there may be others. Write `args["name"]` for one that is
   * not checked.
   */
  readonly variables: Readonly<Record<string, JsonObject | boolean>>;
  /** False leaves names and types to be found wrong when the expression is evaluated. Default true. */
  readonly check?: boolean | undefined;
  /** The subject of errors. Default "compileExpression()". */
  readonly where?: string | undefined;
}

/** The answer of an expression that is neither true nor false. It names no value. */
export interface ExpressionFailure {
  readonly kind: ExpressionFailureKind;
  readonly place: ExpressionPlace;
}

/** A compiled expression. Evaluating it has no effects and takes a bounded time. */
export interface Expression {
  /** The variables that it reads. The others need not be given. */
  readonly variables: ReadonlySet<string>;
  /** An object in place of a boolean is a failure: treat it as neither. */
  readonly evaluate: (values: Readonly<Record<string, unknown>>) => boolean | ExpressionFailure;
}

const subject = "compileExpression()";
const expressionOptions = {
  variables: required(
    object<ExpressionOptions["variables"]>("an object of JSON Schemas, or true, by name"),
  ),
  check: boolean().default(true),
  where: textOption().default(subject),
} satisfies OptionTable<ExpressionOptions>;

const longestText = 4_000;
const mostNodes = 1_000;
/** A unit is about 150 ns. */
const mostUnits = 50_000;

/**
 * Compiles an expression in CEL that gives a boolean.
 *
 * JSON's whole numbers are `int`, all others `double`. Strings are counted in
 * code points. A pattern of `matches` must be a literal, in the syntax of RE2.
 *
 * @throws ToolstileError `ERR_INVALID_OPTION` that names line and column: for a text that is not CEL, and,
 * unless `check` is false, for a name or a type that is wrong.
 */
export function compileExpression(text: string, options: ExpressionOptions): Expression {
  if (typeof text !== "string") throw optionError(subject, "text", "an expression in CEL", text);
  const { where, variables, check } = readOptions(subject, options, expressionOptions);
  if (text.length > longestText) {
    throw invalidOption(
      where,
      `an expression must have at most ${longestText} characters, received ${text.length}.`,
    );
  }
  const environment = theEnvironment();
  const { cel, env, meter, values, patterns } = environment;
  const { expression, source } = parse(text, where);
  const at = (id: bigint | undefined): ExpressionPlace =>
    placeIn(text, source.positions[String(id)]);
  const nodes = countNodes(expression);
  if (nodes > mostNodes) {
    throw invalidOption(
      where,
      `an expression must have at most ${mostNodes} parts, received ${nodes}.`,
    );
  }
  const faulty = (id: bigint, problem: string): ToolstileError =>
    invalidOption(where, `${spoken(at(id))}: ${problem}${/[.?]$/.test(problem) ? "" : "."}`);
  if (check) {
    const types = new Map(
      Object.entries(variables).map(([name, schema]) => [name, typeOfSchema(schema)]),
    );
    try {
      new Checker(environment, source).check(expression, types);
    } catch (fault) {
      throw fault instanceof CheckFault ? faulty(fault.id, fault.message) : fault;
    }
  }
  refuseShadowed(text, expression, Object.keys(variables), faulty);
  const own = literalPatterns(expression, (id, problem) => {
    if (check) throw faulty(id, problem);
  });
  const mentioned = namesIn(expression);
  const names = Object.keys(variables).filter((name) => mentioned.has(name));
  const short = shortWay(expression, names, environment, own);
  meterMacros(expression);
  const run = cel.plan(env, expression);

  function evaluate(given: Readonly<Record<string, unknown>>): boolean | ExpressionFailure {
    return short?.(names.map((name) => ownValue(given, name))) ?? long(given);
  }

  /** As the library does it, which knows all of the language. */
  function long(given: Readonly<Record<string, unknown>>): boolean | ExpressionFailure {
    meter.begin(mostUnits);
    patterns.current = own;
    const limit = Error.stackTraceLimit;
    // A failure within a macro makes an error at each pass, and nobody reads their stacks.
    Reflect.set(Error, "stackTraceLimit", 0);
    try {
      const bound: Record<string, never> = Object.create(null);
      for (const name of names) {
        const value = values.of(ownValue(given, name));
        if (value !== undefined) bound[name] = value as never;
      }
      const result = run(bound);
      if (meter.exhausted) return failure("too_costly", undefined);
      if (typeof result === "boolean") return result;
      if (cel.isCelError(result)) return failure(kindOfError(result), result.exprId);
      return failure("not_boolean", undefined);
    } catch (error) {
      return failure(meter.exhausted ? "too_costly" : kindOfError(error), undefined);
    } finally {
      Reflect.set(Error, "stackTraceLimit", limit);
    }
  }

  function failure(kind: ExpressionFailureKind, id: bigint | undefined): ExpressionFailure {
    return Object.freeze({ kind, place: at(id) });
  }

  return { variables: new Set(names), evaluate };
}

/**
 * Refuses `.host` beside a macro over `host`. The library drops the dot, and would take the macro's value for the variable's.
 *
 * @throws what `refuse` makes of it.
 */
function refuseShadowed(
  text: string,
  expression: Expr,
  variables: readonly string[],
  refuse: (id: bigint, problem: string) => Error,
): void {
  for (const { id, exprKind } of nodesOf(expression)) {
    if (exprKind.case !== "comprehensionExpr") continue;
    for (const name of [exprKind.value.iterVar, exprKind.value.iterVar2]) {
      if (!variables.includes(name) || !new RegExp(`\\.(?:\\s|//[^\\r\\n]*)*${name}\\b`).test(text))
        continue;
      throw refuse(
        id,
        `${quoted(`.${name}`)} must not stand beside a macro over ${quoted(name)}; give its value another name`,
      );
    }
  }
}

/** The names that an expression reads, and perhaps some that a macro gives to its values. */
function namesIn(expression: Expr): ReadonlySet<string> {
  const names = new Set<string>();
  for (const node of nodesOf(expression)) names.add(identifier(node) ?? "");
  return names;
}

interface ParsedExpression {
  readonly expression: Expr;
  readonly source: SourceInfo;
}

function parse(text: string, where: string): ParsedExpression {
  let parsed: ReturnType<Cel["parse"]>;
  try {
    parsed = loadCel().parse(text);
  } catch (error) {
    throw invalidOption(where, syntaxProblem(text, error));
  }
  const { expr, sourceInfo } = parsed;
  if (expr === undefined || sourceInfo === undefined) {
    throw invalidOption(where, "the expression is empty.");
  }
  return { expression: expr, source: sourceInfo };
}

/** Says what the parser found, and where. */
function syntaxProblem(text: string, error: unknown): string {
  if (error instanceof RangeError) return "the expression is nested too deeply.";
  const offset = (error as { location?: { start?: { offset?: number } } }).location?.start?.offset;
  const told = error instanceof Error ? error.message.replace(/^<input>:\d+:\d+: /, "") : "";
  return `${spoken(placeIn(text, offset))}: it is not CEL: ${told}.${wayOut(text, offset)}`;
}

/** Of `=` and `===`, which other languages have where CEL has `==`. */
function wayOut(text: string, offset = text.length): string {
  const sign = /^(?:!==|={1,3})(?!=)/.exec(text.slice(offset))?.[0];
  if (sign === "=" || sign === "===") return " To compare two values, write ==.";
  return sign === "!==" ? " To compare two values, write !=." : "";
}
