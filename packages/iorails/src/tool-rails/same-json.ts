import { isPlanted } from "../planted.js";

/**
 * Whether a value that may change is still what JSON made of it earlier.
 *
 * Reading through it costs a fraction of writing it out, and finds a tool that
 * was changed in place since it was last seen. Of what JSON would write
 * otherwise than it stands (a `toJSON`, a Date, an accessor) it is never the
 * same.
 */
export function isSameJson(value: unknown, snapshot: unknown): boolean {
  if (value === snapshot) return true;
  if (typeof value !== "object" || value === null) return false;
  if (typeof snapshot !== "object" || snapshot === null) return false;
  if (Array.isArray(snapshot)) return Array.isArray(value) && isSameList(value, snapshot);
  const prototype = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) return false;
  const keys = Object.keys(value);
  if (keys.length !== Object.keys(snapshot).length) return false;
  for (const key of keys) {
    if (!Object.hasOwn(snapshot, key)) return false;
    const here = (value as Record<string, unknown>)[key];
    if (typeof here === "function") return false;
    if (!isSameJson(here, (snapshot as Record<string, unknown>)[key])) return false;
  }
  return true;
}

function isSameList(value: readonly unknown[], snapshot: readonly unknown[]): boolean {
  if (value.length !== snapshot.length) return false;
  for (let index = 0; index < snapshot.length; index++) {
    if (!isSameJson(value[index], snapshot[index])) return false;
  }
  return true;
}

/** What a JSON value looks like, laid out to be compared with many times. */
export type JsonShape = Composite | string | number | boolean | null;

/** One class for both, which keeps the comparison fast. */
class Composite {
  /** In order; absent of a list. */
  readonly keys: readonly string[] | undefined;
  readonly values: readonly JsonShape[];

  constructor(value: object) {
    this.keys = Array.isArray(value) ? undefined : Object.keys(value);
    const shapes: JsonShape[] = [];
    for (const member of Object.values(value)) shapes.push(shapeOf(member));
    this.values = shapes;
  }
}

/** @param value as it came out of JSON. */
export function shapeOf(value: unknown): JsonShape {
  return typeof value === "object" && value !== null ? new Composite(value) : (value as JsonShape);
}

/**
 * Whether a value that may change still has a shape: `isSameJson`, for a fourth of its cost.
 *
 * The keys must also have the same order, and nothing is the same while the
 * root prototype has members of its own to give.
 */
export function hasShape(value: unknown, shape: JsonShape): boolean {
  return shape instanceof Composite ? !isPlanted() && isLike(value, shape) : value === shape;
}

function isLike(value: unknown, { keys, values }: Composite): boolean {
  if (typeof value !== "object" || value === null) return false;
  // It would speak in place of the members, also where it cannot be enumerated.
  if ((value as { toJSON?: unknown }).toJSON !== undefined) return false;
  if (keys === undefined) return isLikeList(value, values);
  const prototype = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) return false;
  let at = 0;
  // For-in makes no list of the keys, and there is none that is inherited.
  for (const key in value) {
    if (key !== keys[at]) return false;
    const here = (value as Record<string, unknown>)[key];
    const there = values[at++] as JsonShape;
    if (here !== there && !isLikeMember(here, there)) return false;
  }
  return at === keys.length;
}

function isLikeList(list: object, values: readonly JsonShape[]): boolean {
  if (!Array.isArray(list) || list.length !== values.length) return false;
  for (let index = 0; index < values.length; index++) {
    const here: unknown = list[index];
    const there = values[index] as JsonShape;
    if (here !== there && !isLikeMember(here, there)) return false;
  }
  return true;
}

function isLikeMember(here: unknown, there: JsonShape): boolean {
  return typeof there === "object" && there !== null && isLike(here, there);
}

/** Freeze what came out of JSON, to the leaves. */
export function freezeJson<T>(value: T): T {
  if (typeof value !== "object" || value === null) return value;
  for (const key of Object.keys(value)) freezeJson((value as Record<string, unknown>)[key]);
  return Object.freeze(value);
}
