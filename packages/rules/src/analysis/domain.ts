import type { JsonObject, JsonValue } from "@toolstile/core";
import { isJsonObject, ownValue, type Pointer } from "@toolstile/core/provider";
import type { Check } from "../checks/check.js";
import { isIndex } from "../conditions/pointer.js";

/** A span of numbers. The ends may be in it or not. */
export interface Span {
  readonly least: number;
  readonly leastIn: boolean;
  readonly most: number;
  readonly mostIn: boolean;
}

const everything: Span = {
  least: Number.NEGATIVE_INFINITY,
  leastIn: false,
  most: Number.POSITIVE_INFINITY,
  mostIn: false,
};

/** The span of the numbers for which comparisons are true. */
export function spanOf(bounds: Readonly<Record<string, unknown>>): Span {
  const { above, atLeast, below, atMost } = bounds as Readonly<Record<string, number | undefined>>;
  let span = everything;
  if (above !== undefined) span = within(span, { ...everything, least: above });
  if (atLeast !== undefined) span = within(span, { ...everything, least: atLeast, leastIn: true });
  if (below !== undefined) span = within(span, { ...everything, most: below });
  if (atMost !== undefined) span = within(span, { ...everything, most: atMost, mostIn: true });
  return span;
}

/** Returns the values that are in both spans. */
export function within(a: Span, b: Span): Span {
  const least = Math.max(a.least, b.least);
  const most = Math.min(a.most, b.most);
  const inAt = (span: Span, end: number, at: "least" | "most"): boolean =>
    span[at] !== end || span[`${at}In`];
  return {
    least,
    leastIn: inAt(a, least, "least") && inAt(b, least, "least") && Number.isFinite(least),
    most,
    mostIn: inAt(a, most, "most") && inAt(b, most, "most") && Number.isFinite(most),
  };
}

export function isEmpty({ least, leastIn, most, mostIn }: Span, whole: boolean): boolean {
  if (least > most || (least === most && !(leastIn && mostIn))) return true;
  if (!whole) return false;
  const first = leastIn ? Math.ceil(least) : Math.floor(least) + 1;
  return mostIn ? first > most : first >= most;
}

/** True if all of one span is in the other. */
export function contains(outer: Span, inner: Span): boolean {
  const low =
    inner.least > outer.least || (inner.least === outer.least && (outer.leastIn || !inner.leastIn));
  const high =
    inner.most < outer.most || (inner.most === outer.most && (outer.mostIn || !inner.mostIn));
  return low && high;
}

const comparisons = ["above", "atLeast", "below", "atMost"];

/** The numbers for which all comparisons among some checks are true. */
export function spanOfChecks(checks: readonly Check[]): Span {
  return checks
    .filter(({ name }) => comparisons.includes(name))
    .map(({ name, operand }) => spanOf({ [name]: operand }))
    .reduce(within, everything);
}

/** The constraints that a tool declares for one value. */
export interface Declared {
  /** All values that it may have, where they are few. */
  readonly values: readonly JsonValue[] | undefined;
  readonly span: Span;
  readonly whole: boolean;
  readonly size: Span;
}

export const undeclared: Declared = {
  values: undefined,
  span: everything,
  whole: false,
  size: { ...everything, least: 0, leastIn: true },
};

/** Reads what a schema says of the value that a pointer leads to, as far as that is plain. */
export function declaredAt(schema: JsonObject | boolean | undefined, pointer: Pointer): Declared {
  let at: unknown = schema;
  for (const name of pointer) at = name === "*" ? entriesOf(at) : memberOf(at, name);
  if (!isJsonObject(at)) return undeclared;
  const { type } = at as JsonObject;
  const number = (...names: string[]): Record<string, number> =>
    Object.fromEntries(
      names.flatMap((name, index) => {
        const value = ownValue(at, name);
        return typeof value === "number" ? [[comparisons[index] as string, value]] : [];
      }),
    );
  return {
    values: valuesOf(at as JsonObject),
    span: spanOf(number("exclusiveMinimum", "minimum", "exclusiveMaximum", "maximum")),
    whole: type === "integer",
    size: within(
      undeclared.size,
      type === "array"
        ? spanOf(number("", "minItems", "", "maxItems"))
        : type === "string"
          ? spanOf(number("", "minLength", "", "maxLength"))
          : undeclared.size,
    ),
  };
}

/** What is said of all entries, where nothing else is. `*` stands for the members of an object, too. */
function entriesOf(schema: unknown): unknown {
  const isList =
    ownValue(schema, "type") === "array" && ownValue(schema, "prefixItems") === undefined;
  return isList ? ownValue(schema, "items") : undefined;
}

/** What is said of a member, where it is no entry of a list. */
function memberOf(schema: unknown, name: string): unknown {
  if (isIndex(name) && ownValue(schema, "type") !== "object") return undefined;
  return ownValue(ownValue(schema, "properties"), name);
}

function valuesOf(schema: JsonObject): readonly JsonValue[] | undefined {
  const only = ownValue(schema, "const");
  if (only !== undefined) return [only as JsonValue];
  const listed = ownValue(schema, "enum");
  if (Array.isArray(listed)) return listed;
  return ownValue(schema, "type") === "boolean" ? [true, false] : undefined;
}
