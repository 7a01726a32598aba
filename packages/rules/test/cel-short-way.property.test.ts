import fc from "fast-check";
import { describe, expect, inject, it } from "vitest";
import { theEnvironment } from "../src/cel/environment.js";
import type { Expr } from "../src/cel/expression-tree.js";
import { kindOfError } from "../src/cel/fault.js";
import { meterMacros } from "../src/cel/instrument.js";
import { literalPatterns } from "../src/cel/literal-patterns.js";
import { shortWay } from "../src/cel/short-way.js";

type Values = Readonly<Record<string, unknown>>;

/** What the library says of an expression, and what the short way does. */
function ways(text: string) {
  const environment = theEnvironment();
  const { cel, env, meter, values, patterns } = environment;
  const parsed = cel.parse(text);
  const expression = parsed.expr as Expr;
  const own = literalPatterns(expression, () => undefined);
  const names = ["args", "tool"];
  const short = shortWay(expression, names, environment, own);
  meterMacros(expression);
  const run = cel.plan(env, expression);
  return {
    short: (given: Values) => short?.(names.map((name) => given[name])),
    library: (given: Values): unknown => {
      meter.begin(50_000);
      patterns.current = own;
      try {
        const bound = names.map((name) => [name, values.of(given[name])] as const);
        const present = bound.filter(([, value]) => value !== undefined);
        const answer = run(Object.fromEntries(present) as Record<string, never>);
        if (meter.exhausted) return "too_costly";
        if (cel.isCelError(answer)) return kindOfError(answer);
        return typeof answer === "boolean" ? answer : "not_boolean";
      } catch (error) {
        return meter.exhausted ? "too_costly" : kindOfError(error);
      }
    },
  };
}

const names = ["x", "y", "list", "map", "constructor"];
const texts = ["", "a", "ab", "b😀", "\ud800", "x", "7", "A b"];
const numbers = [0, -0, 1, 7, 2.5, -1, 2 ** 53, 2 ** 53 + 2, 2 ** 63, 2 ** 64, 1e300, Number.NaN];

const quotedText = fc.constantFrom("a", "ab", "b😀", "x", "").map((text) => `"${text}"`);
const literal = fc.oneof(
  quotedText,
  fc.constantFrom("0", "1", "7", "-1", "2.5", "7u", "9007199254740993", "1e300", "null", "true"),
);
const name = fc.constantFrom(...names);
const place = fc.oneof(
  { weight: 5, arbitrary: name.map((each) => `args.${each}`) },
  fc.tuple(name, name).map(([one, other]) => `args.${one}.${other}`),
  name.map((each) => `args["${each}"]`),
  fc.tuple(name, fc.nat(2)).map(([one, index]) => `args.${one}[${index}]`),
  fc.constantFrom("tool", "c", "c.x", "args"),
);
const scalar = fc.oneof(
  { weight: 3, arbitrary: place },
  literal,
  place.map((each) => `size(${each})`),
  place.map((each) => `${each}.size()`),
);
const range = fc.oneof(
  place,
  fc.array(literal, { maxLength: 3 }).map((all) => `[${all.join(", ")}]`),
);
const { condition } = fc.letrec<{ condition: string }>((tie) => {
  const inner = tie("condition");
  return {
    condition: fc.oneof(
      { maxDepth: 3, withCrossShrink: true },
      fc
        .tuple(scalar, fc.constantFrom("==", "!=", "<", "<=", ">", ">="), scalar)
        .map((all) => all.join(" ")),
      fc.tuple(scalar, range).map(([one, all]) => `${one} in ${all}`),
      fc.tuple(name, name).map(([one, other]) => `has(args.${one}.${other}) || has(args.${one})`),
      fc
        .tuple(place, fc.constantFrom("startsWith", "endsWith", "contains"), scalar)
        .map(([of, func, part]) => `${of}.${func}(${part})`),
      fc
        .tuple(place, fc.constantFrom("a+", "(?i)AB$", "^.$", "(a|b)*a(a|b){14}$"))
        .map(([of, pattern]) => `${of}.matches("${pattern}")`),
      place,
      fc.tuple(scalar, scalar).map(([one, other]) => `${one} + ${other} == 1`),
      fc.tuple(inner, inner).map(([one, other]) => `(${one}) && (${other})`),
      fc.tuple(inner, inner).map(([one, other]) => `(${one}) || (${other})`),
      inner.map((one) => `!(${one})`),
      fc
        .tuple(inner, inner, inner)
        .map(([one, two, three]) => `((${one}) ? (${two}) : (${three}))`),
      fc
        .tuple(range, fc.constantFrom("exists", "all", "exists_one"), inner)
        .map(([of, macro, test]) => `${of}.${macro}(c, ${test})`),
    ),
  };
});

const plain = fc.oneof(
  fc.constantFrom<unknown>(...texts, ...numbers, true, false, null),
  fc.constantFrom<unknown>(undefined, 7n, () => 1, new Date(0), "a".repeat(3_000)),
);
const { value } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 2, withCrossShrink: true },
    plain,
    fc.array(tie("value"), { maxLength: 4 }),
    fc.dictionary(name, tie("value"), { maxKeys: 4 }),
    fc.constantFrom<unknown>(
      [undefined, "a"],
      Array.from({ length: 2_000 }, (_, index) => index),
      Array.from({ length: 300 }, () => ["a".repeat(500)]),
    ),
  ),
}));
const given = fc.record({
  args: fc.oneof(
    { weight: 9, arbitrary: fc.dictionary(name, value, { maxKeys: 5 }) as fc.Arbitrary<unknown> },
    value,
  ),
  tool: fc.constantFrom<unknown>("a", "pay", undefined),
});

describe("the short way of an expression", () => {
  it("says nothing that the library does not say", { tags: "longer" }, () => {
    let told = 0;
    fc.assert(
      fc.property(condition, fc.array(given, { minLength: 1, maxLength: 5 }), (text, all) => {
        const { short, library } = ways(text);
        for (const values of all) {
          const answer = short(values);
          if (answer === undefined) continue;
          told++;
          expect(answer).toBe(library(values));
        }
      }),
      { numRuns: inject("long") ? 5_000 : 500 },
    );
    expect(told).toBeGreaterThan(inject("long") ? 250 : 10);
  });
});
