import { isPlanted } from "../planted.js";

/**
 * The outline of a JSON value, for many comparisons.
 *
 * Each object and list is announced with its length, its keys and members
 * follow, all in one list: after a wait for the network little of it is in the
 * processor's caches, and what lies in a row comes in twice as fast as what
 * lies about.
 */
export type JsonShape = readonly unknown[];

const anObject = Symbol("object");
const aList = Symbol("list");

/** @param value as it came out of JSON. */
export function shapeOf(value: unknown): JsonShape {
  const shape: unknown[] = [];
  layOut(value, shape);
  return shape;
}

function layOut(value: unknown, shape: unknown[]): void {
  if (Array.isArray(value)) {
    shape.push(aList, value.length);
    for (const member of value) layOut(member, shape);
  } else if (typeof value === "object" && value !== null) {
    const members = Object.entries(value);
    shape.push(anObject, members.length);
    for (const [key, member] of members) {
      shape.push(key);
      layOut(member, shape);
    }
  } else shape.push(value);
}

/**
 * True if a value that may change is still equal to the JSON that a shape was made of.
 *
 * Reading through it costs a fraction of writing it out, and finds a tool that
 * was changed in place since it was last seen. Of what JSON would write
 * otherwise than it stands (a `toJSON`, a Date, an accessor) it is never so. The
 * keys must have the same order, and nothing is the same while the root
 * prototype has members of its own to give.
 */
export function hasShape(value: unknown, shape: JsonShape): boolean {
  return !isPlanted() && afterValue(value, shape, 0) === shape.length;
}

/** The index behind a value in a shape, or `other` if the value does not fit. */
function afterValue(value: unknown, shape: JsonShape, at: number): number {
  const there = shape[at];
  if (there === anObject) return afterObject(value, shape, at + 1);
  if (there === aList) return afterList(value, shape, at + 1);
  return value === there ? at + 1 : other;
}

const other = -1;

function afterObject(value: unknown, shape: JsonShape, start: number): number {
  if (typeof value !== "object" || value === null || speaksForItself(value)) return other;
  const prototype = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) return other;
  let at = start + 1;
  let members = 0;
  // For-in makes no list of the keys, and there is none that is inherited.
  for (const key in value) {
    if (key !== shape[at]) return other;
    const here = (value as Record<string, unknown>)[key];
    at = here === shape[at + 1] ? at + 2 : afterValue(here, shape, at + 1);
    if (at === other) return other;
    members++;
  }
  return members === shape[start] ? at : other;
}

function afterList(value: unknown, shape: JsonShape, start: number): number {
  const length = shape[start] as number;
  if (!Array.isArray(value) || value.length !== length || speaksForItself(value)) return other;
  let at = start + 1;
  for (let index = 0; index < length; index++) {
    const here: unknown = value[index];
    at = here === shape[at] ? at + 1 : afterValue(here, shape, at);
    if (at === other) return other;
  }
  return at;
}

/** It would be asked in place of its members, also where it cannot be enumerated. */
function speaksForItself(value: object): boolean {
  return (value as { toJSON?: unknown }).toJSON !== undefined;
}
