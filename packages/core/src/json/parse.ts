import type { JsonObject } from "../protocol/guardrail.js";
import { faultPlace } from "./fault-place.js";
import {
  defaultLimits,
  hasPlantedKeys,
  isSafeNumber,
  JsonFault,
  type JsonFaultCode,
  type JsonLimits,
  jsonFaults,
  leastFloat,
  numberFault,
  snapshot,
} from "./snapshot.js";

export type ParsedArguments =
  | { readonly ok: true; readonly args: JsonObject }
  | { readonly ok: false; readonly code: JsonFaultCode; readonly reason: string };

const none: ParsedArguments = Object.freeze({ ok: true, args: Object.freeze({}) });

/**
 * Reads a call's arguments, as JSON text or as an object, into frozen plain JSON.
 *
 * Absent or blank text is `{}`. Nothing is repaired: text that is not exactly
 * one JSON object inside the limits, an object with the same key twice (also
 * spelt with escapes), a `__proto__` key, a number that is not finite, an integer
 * that would be rounded and a lone surrogate are each refused with their code. The reason quotes
 * nothing.
 */
export function parseArguments(
  given: unknown,
  limits: JsonLimits = defaultLimits,
): ParsedArguments {
  if (given === undefined || given === null) return none;
  try {
    const args =
      typeof given === "string" ? parseText(given, limits) : snapshotObject(given, limits);
    return args === undefined ? none : { ok: true, args };
  } catch (fault) {
    if (fault instanceof JsonFault) return refusal(fault);
    // A getter or a proxy of the caller's threw, or recursion was too deep for the JavaScript engine.
    return refusal(jsonFaults.not_json);
  }
}

function refusal({ code, reason }: JsonFault): ParsedArguments {
  return { ok: false, code, reason };
}

/** @throws JsonFault unless the value is a plain object. */
export function snapshotObject(value: unknown, limits: JsonLimits): JsonObject {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw jsonFaults.not_an_object;
  }
  return snapshot(value, limits) as JsonObject;
}

function parseText(text: string, limits: JsonLimits): JsonObject | undefined {
  if (exceeds(text, limits.maxBytes)) throw jsonFaults.too_large;
  if (text.trim() === "") return undefined;
  const members = countMembers(text);
  const value = parseJson(text);
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw jsonFaults.not_an_object;
  }
  const walk: Walk = {
    members: 0,
    // The object itself is one.
    nodes: limits.maxNodes - 1,
    depth: limits.maxDepth,
    // Without an escape, the strings are as well formed as the text.
    wellFormed: !text.includes("\\u") && text.isWellFormed(),
    planted: hasPlantedKeys(),
    large: false,
    backslashes: 0,
  };
  freezeChecked(value, 0, walk);
  if (walk.nodes < 0) throw jsonFaults.too_large;
  // JSON.parse keeps the last of equal keys, so a missing member is a duplicate.
  if (walk.members !== members) throw jsonFaults.duplicate_key;
  if (isMisread(text, walk.backslashes)) throw jsonFaults.misread;
  if (walk.large && hasLongInteger(text)) throw jsonFaults.unsafe_integer;
  return value as JsonObject;
}

/**
 * True if JSON text has an object with the same key twice, given the value that `JSON.parse` made of it.
 *
 * `JSON.parse` keeps the last of equal keys, other readers the first: such text
 * has two meanings. Keys that are equal only after their escapes are read count,
 * too, and so does a key that the JavaScript engine has misread.
 */
export function hasDuplicateKeys(text: string, parsed: unknown): boolean {
  const { members, backslashes } = countKeys(parsed);
  return members !== countMembers(text) || isMisread(text, backslashes);
}

/** Without recursion: the value may be nested as deeply as text can say. */
function countKeys(value: unknown): Pick<Walk, "members" | "backslashes"> {
  const count = { members: 0, backslashes: 0 };
  const waiting = [value];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (typeof next !== "object" || next === null) continue;
    const values: readonly unknown[] = Array.isArray(next) ? next : Object.values(next);
    if (values !== next) {
      count.members += values.length;
      if (Object.hasOwn(next, backslashKey)) count.backslashes++;
    }
    for (const each of values) waiting.push(each);
  }
  return count;
}

const backslashKey = "\\";

/**
 * True if fewer keys of one backslash stand in JSON text than were read from it.
 *
 * V8 13.6 (Node 24.21) takes any key that is one escape for a backslash, once it
 * has read an object with the same keys before it and then a backslash.
 */
function isMisread(text: string, backslashes: number): boolean {
  if (backslashes === 0) return false;
  const keys = text.matchAll(/"((?:[^"\\]|\\.)*)"(\s*:)?/g);
  const written = [...keys].filter(([, key = "", end]) => {
    return end !== undefined && /^\\(?:\\|u005c)$/i.test(key);
  });
  return written.length !== backslashes;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The JavaScript engine's message quotes the text, and mostly says no place.
    const place = faultPlace(text);
    throw new JsonFault("invalid_json", `they are not valid JSON at position ${place}`);
  }
}

/** True if the text is longer than so many bytes of UTF-8. */
function exceeds(text: string, bytes: number): boolean {
  if (text.length > bytes) return true;
  return text.length * 3 > bytes && new TextEncoder().encode(text).length > bytes;
}

const quote = 34;
const colon = 58;
const backslash = 92;

/** Counts the colons outside strings: one for each member. Text that is not JSON may give any number. */
function countMembers(text: string): number {
  let members = 0;
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    if (unit === colon) members++;
    if (unit === quote) index = closingQuote(text, index);
  }
  return members;
}

/** The place of the quote that closes a string; the end of the text, if none does. */
function closingQuote(text: string, open: number): number {
  let close = open;
  for (;;) {
    close = text.indexOf('"', close + 1);
    if (close === -1) return text.length;
    let slashes = 0;
    while (text.charCodeAt(close - 1 - slashes) === backslash) slashes++;
    if (slashes % 2 === 0) return close;
  }
}

interface Walk {
  members: number;
  nodes: number;
  readonly depth: number;
  readonly wellFormed: boolean;
  readonly planted: boolean;
  /** True if a number is as large as only a float may be. */
  large: boolean;
  /** The keys that are one backslash. */
  backslashes: number;
}

/** True if JSON text writes out an integer that a double would round: one without a fraction and an exponent. */
function hasLongInteger(text: string): boolean {
  for (const [token] of text.matchAll(/"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/g)) {
    if (/^-?\d+$/.test(token) && !Number.isSafeInteger(Number(token))) return true;
  }
  return false;
}

/** Checks the value that JSON.parse made, and freezes it in place: no other code holds it. */
function freezeChecked(value: object, depth: number, walk: Walk): void {
  if (depth >= walk.depth) throw jsonFaults.too_deep;
  if (Array.isArray(value)) {
    walk.nodes -= value.length;
    for (let index = 0; index < value.length; index++) {
      const element: unknown = value[index];
      if (typeof element === "object") {
        if (element !== null) freezeChecked(element, depth + 1, walk);
      } else if (typeof element === "number") {
        if (isNegativeZero(element, walk)) value[index] = 0;
      } else if (!walk.wellFormed) checkWellFormed(element);
    }
  } else {
    const object = value as Record<string, unknown>;
    let members = 0;
    // For-in is the cheapest way through an object of its own keys only.
    for (const key in object) {
      if (walk.planted && !Object.hasOwn(object, key)) continue;
      members++;
      if (key === "__proto__") throw jsonFaults.proto_key;
      if (key === backslashKey) walk.backslashes++;
      if (!walk.wellFormed) checkWellFormed(key);
      const member = object[key];
      if (typeof member === "object") {
        if (member !== null) freezeChecked(member, depth + 1, walk);
      } else if (typeof member === "number") {
        if (isNegativeZero(member, walk)) object[key] = 0;
      } else if (!walk.wellFormed) checkWellFormed(member);
    }
    walk.members += members;
    walk.nodes -= members;
  }
  Object.freeze(value);
}

/** True if a safe number must become 0. @throws JsonFault for a number that is not safe. */
function isNegativeZero(value: number, walk: Walk): boolean {
  if (!isSafeNumber(value)) throw numberFault(value);
  if (value >= leastFloat || value <= -leastFloat) walk.large = true;
  return Object.is(value, -0);
}

function checkWellFormed(leaf: unknown): void {
  if (typeof leaf === "string" && !leaf.isWellFormed()) throw jsonFaults.lone_surrogate;
}
