import { quoted } from "@toolstile/core";
import type { ErrorObject } from "ajv";
import { expectation } from "./expected.js";
import { escapeSegment, unescapeSegment } from "./plain-copy.js";

/** The first rule that a value breaks. Quotes nothing of the value. */
export interface Violation {
  readonly keyword: string;
  /** JSON Pointer into the value; a key that the schema does not declare is `*`. */
  readonly pointer: string;
  /** "required at the top level: 'subject' is missing" */
  readonly message: string;
}

/** What a check that could not be finished says. */
export const unfinished: Violation = Object.freeze({
  keyword: "cost",
  pointer: "",
  message: "it costs more to check than is allowed",
});

export function violation(keyword: string, pointer: string, detail = ""): Violation {
  const place = pointer === "" ? "at the top level" : `at ${pointer}`;
  return Object.freeze({ keyword, pointer, message: `${keyword} ${place}${detail}` });
}

/** Puts Ajv's errors into words, using only what the schema's author wrote. */
export function describe(
  errors: readonly ErrorObject[] | null | undefined,
  value: unknown,
  declared: DeclaredNames,
): Violation {
  const error = decisive(errors ?? []);
  if (error === undefined) return unfinished;
  const { keyword, instancePath } = error;
  const keys = instancePath === "" ? [] : instancePath.slice(1).split("/").map(unescapeSegment);
  let pointer = maskedPointer(keys, value, declared);
  if (keyword === "additionalProperties" || keyword === "unevaluatedProperties") pointer += "/*";
  const detail =
    keyword === "propertyNames"
      ? nameExpectation(errors ?? [])
      : expectation(error, keys.reduce(member, value));
  return violation(keyword, pointer, detail);
}

/** The error before the last says what is wrong with a name. */
function nameExpectation(errors: readonly ErrorObject[]): string {
  const inner = errors[errors.length - 2];
  if (inner === undefined || inner.keyword === "false schema") return ": no name is allowed";
  return `: a name breaks ${inner.keyword}${expectation(inner, undefined)}`;
}

/** The last error is the outermost; that of `if` says less than that of its branch. */
function decisive(errors: readonly ErrorObject[]): ErrorObject | undefined {
  for (let i = errors.length - 1; i > 0; i--) {
    if (errors[i]?.keyword !== "if") return errors[i];
  }
  return errors[0];
}

export function maskedPointer(
  keys: readonly string[],
  value: unknown,
  declared: DeclaredNames,
): string {
  let pointer = "";
  let current = value;
  for (const key of keys) {
    pointer += `/${Array.isArray(current) ? key : (declared.get(key) ?? "*")}`;
    current = member(current, key);
  }
  return pointer;
}

function member(value: unknown, key: string): unknown {
  return typeof value === "object" && value !== null && Object.hasOwn(value, key)
    ? (value as Record<string, unknown>)[key]
    : undefined;
}

/** Every property name that the schema's author wrote, with its spelling in pointers. */
export interface DeclaredNames {
  readonly get: (name: string) => string | undefined;
}

/** For values that are no secret. */
export const everyName: DeclaredNames = { get: spelling };

export function declaredNames(names: Iterable<string>): DeclaredNames {
  const spelled = new Map<string, string>();
  for (const name of names) spelled.set(name, spelling(name));
  return spelled;
}

function spelling(name: string): string {
  return quoted(escapeSegment(name)).slice(1, -1);
}
