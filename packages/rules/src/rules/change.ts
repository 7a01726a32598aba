import type { JsonValue } from "@toolstile/core";
import {
  invalidOption,
  type Pointer,
  readOptions,
  readPointer,
  required,
  sameJson,
  text,
} from "@toolstile/core/provider";
import { isIndex } from "../conditions/pointer.js";
import {
  type Transformation,
  transformationKinds,
  transformationNames,
  transformationTable,
  unchangeable,
} from "./transformations.js";

/** A change of the values that a pointer leads to, as data. It has one of the transformations. */
export interface RuleChange {
  /** A JSON Pointer into the arguments. A step `*` stands for each entry or member. */
  readonly at: string;
  readonly set?: JsonValue | undefined;
  readonly default?: JsonValue | undefined;
  readonly clamp?:
    | { readonly min?: number | undefined; readonly max?: number | undefined }
    | undefined;
  readonly trim?: true | undefined;
  readonly lowerCase?: true | undefined;
  readonly truncate?: number | undefined;
}

export interface Change {
  readonly written: string;
  readonly pointer: Pointer;
  readonly transformation: Transformation;
}

/** @throws ToolstileError that names the place and the way out. */
export function readChange(given: unknown, where: string): Change {
  const read: Readonly<Record<string, unknown>> = readOptions(where, given, {
    at: required(text("a JSON Pointer, as text")),
    ...transformationTable,
  });
  const [name, ...others] = transformationNames.filter((each) => read[each] !== undefined);
  if (name === undefined || others.length > 0) {
    const all = transformationNames.join(", ");
    throw invalidOption(where, `a change must have exactly one of: ${all}.`);
  }
  const written = read.at as string;
  const pointer = readPointer(written, where, "at");
  if (pointer.length === 0 || pointer.includes("__proto__")) {
    throw invalidOption(where, "'at' must lead to a member of the arguments.");
  }
  const transformation = transformationKinds[name].read(read[name], where, name);
  if (transformation.creates && pointer.at(-1) === "*") {
    throw invalidOption(where, `'${name}' must have a name at the end of 'at', and no *.`);
  }
  return { written, pointer, transformation };
}

/**
 * Applies a change to a value, and leaves the value itself as it is.
 *
 * @returns the same value if nothing changes, `unchangeable` if one of the values is of a kind that
 * cannot be changed so, or if there is no place for a new one.
 */
export function changed(value: unknown, { pointer, transformation }: Change, from = 0): unknown {
  const name = pointer[from];
  if (name === undefined) return transformation.apply(value);
  if (typeof value !== "object" || value === null) return unchangeable;
  const names = name === "*" ? Object.keys(value) : [name];
  // Where a condition would be undecided, a change is not made in silence.
  if (name !== "*" && Array.isArray(value) && !isIndex(name)) return unchangeable;
  let copy: unknown[] | Record<string, unknown> | undefined;
  for (const each of names) {
    const before = Object.hasOwn(value, each)
      ? (value as Record<string, unknown>)[each]
      : undefined;
    if (before === undefined && !transformation.creates) continue;
    if (before === undefined && Array.isArray(value)) return unchangeable;
    const after = changed(before, { pointer, transformation } as Change, from + 1);
    if (after === unchangeable) return unchangeable;
    if (after === before || sameJson(after, before)) continue;
    copy ??= Array.isArray(value) ? [...value] : { ...value };
    (copy as Record<string, unknown>)[each] = after;
  }
  return copy ?? value;
}
