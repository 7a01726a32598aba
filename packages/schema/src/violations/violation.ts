import { ownValue, quoted } from "@toolstile/core/provider";
import { escapeSegment } from "../document/json-pointer.js";
import { expectation } from "./expectation.js";
import type { Failure } from "./failure.js";

/** The first rule that a value breaks. Quotes nothing of the value. */
export interface Violation {
  readonly keyword: string;
  /** JSON Pointer into the value; a key that the schema does not declare is `*`. */
  readonly pointer: string;
  /** "required at the top level: 'subject' is missing" */
  readonly message: string;
}

/** The violation that a check reports if it could not be finished. */
export const unfinished: Violation = Object.freeze({
  keyword: "cost",
  pointer: "",
  message: "it costs more to check than is allowed",
});

export function violation(keyword: string, pointer: string, detail = ""): Violation {
  const place = pointer === "" ? "at the top level" : `at ${pointer}`;
  return Object.freeze({ keyword, pointer, message: `${keyword} ${place}${detail}` });
}

/** Puts a failure into words, using only what the schema's author wrote. */
export function describe(failure: Failure, value: unknown, declared: DeclaredNames): Violation {
  const { keyword, inner } = failure;
  const keys = failure.path;
  let pointer = maskedPointer(keys, value, declared);
  if (keyword === "additionalProperties" || keyword === "unevaluatedProperties") pointer += "/*";
  const detail =
    inner === undefined
      ? expectation(failure, keys.reduce(ownValue, value))
      : nameExpectation(inner);
  return violation(keyword, pointer, detail);
}

/** Says what is wrong with a name. */
function nameExpectation(inner: Failure): string {
  if (inner.keyword === "false schema") return ": no name is allowed";
  return `: a name breaks ${inner.keyword}${expectation(inner, undefined)}`;
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
    current = ownValue(current, key);
  }
  return pointer;
}

/** Every property name that the schema's author wrote, with its spelling in pointers. */
export interface DeclaredNames {
  readonly get: (name: string) => string | undefined;
}

/** For values that are not secret. */
export const everyName: DeclaredNames = { get: spelling };

export function declaredNames(names: Iterable<string>): DeclaredNames {
  const spelled = new Map<string, string>();
  for (const name of names) spelled.set(name, spelling(name));
  return spelled;
}

function spelling(name: string): string {
  return quoted(escapeSegment(name)).slice(1, -1);
}
