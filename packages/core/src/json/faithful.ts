import { quoted } from "../errors/names.js";
import { isJsonObject, isPlain, ownValue } from "./own.js";

/** Writes a value as JSON. @throws TypeError for a value whose content would be lost silently. */
export function faithfulText(value: unknown): string {
  // A function that is asked of each value takes much of the stack: what is deep is written without it where it can be.
  const text = isPlainThroughout(value) ? JSON.stringify(value) : JSON.stringify(value, faithful);
  if (text === undefined) throw new TypeError("JSON cannot hold it");
  return text;
}

/** True for plain objects and lists, one in the other, of which JSON writes all. */
function isPlainThroughout(value: unknown): boolean {
  const seen = new Set<unknown>();
  const left = [value];
  while (left.length > 0) {
    const next = left.pop();
    if (typeof next === "number" ? !Number.isFinite(next) : isCode(next)) return false;
    if (typeof next !== "object" || next === null || seen.has(next)) continue;
    if (!Array.isArray(next) && (!isPlain(next) || "toJSON" in next)) return false;
    seen.add(next);
    for (const member of Object.values(next)) left.push(member);
  }
  return true;
}

/**
 * Writes a number that is not finite as its name, in place of null. What a value's own `toJSON` gives counts, but for
 * that of a Buffer, which gives its bytes as a list.
 *
 * @throws TypeError for bytes, and for what JSON writes as {} or null though it may have content.
 */
function faithful(this: Readonly<Record<string, unknown>>, key: string, written: unknown): unknown {
  if (typeof written === "number") return Number.isFinite(written) ? written : String(written);
  if (isCode(written) && Array.isArray(this)) throw lost(`a ${typeof written} as null`, written);
  if (!isJsonObject(written)) return written;
  const isBuffer = ArrayBuffer.isView(this[key]) && ownValue(written, "type") === "Buffer";
  if (isBuffer || ArrayBuffer.isView(written) || written instanceof ArrayBuffer) {
    throw new TypeError("JSON cannot hold bytes: give them as base64 text.");
  }
  if (isLost(written))
    throw lost(`an object of the type ${quoted(typeOf(written))} as {}`, written);
  return written;
}

/** True for an object of which JSON writes nothing, or leaves out the main thing. An instance of an empty class is one: what it holds cannot be seen. */
function isLost(object: Readonly<Record<string, unknown>>): boolean {
  if (isPlain(object)) return hasOnlyCode(object);
  if (object instanceof Error || object instanceof Map || object instanceof Set) return true;
  // JSON writes what stands in the three.
  return (
    Object.keys(object).length === 0 && !["Boolean", "Number", "String"].includes(tagOf(object))
  );
}

function hasOnlyCode(object: Readonly<Record<string, unknown>>): boolean {
  let hasCode = false;
  for (const key in object) {
    const member = object[key];
    if (member !== undefined && !isCode(member)) return false;
    hasCode ||= member !== undefined;
  }
  return hasCode;
}

function isCode(value: unknown): boolean {
  return typeof value === "function" || typeof value === "symbol";
}

/** The name of what made an object: of the language and of the host by their tag, else of a class. */
function typeOf(object: Readonly<Record<string, unknown>>): string {
  const tag = tagOf(object);
  const made = object["constructor"];
  return tag === "Object" && typeof made === "function" ? String(made.name) : tag;
}

function tagOf(object: object): string {
  return Object.prototype.toString.call(object).slice("[object ".length, -1);
}

function lost(what: string, value: unknown): TypeError {
  return new TypeError(`JSON writes ${what}: ${wayOut(Object(value))}.`);
}

/** Says what to give in place of an object, by what it can do. */
function wayOut(object: Readonly<Record<PropertyKey, unknown>>): string {
  const can = (name: PropertyKey): boolean => typeof object[name] === "function";
  if (object instanceof Error) return "give its message";
  if (can("then")) return "await it";
  if (can(Symbol.asyncIterator)) return "read it to its end, and give what it gave";
  if (can("arrayBuffer")) return "give its text, or its bytes as base64 text";
  if (can("entries")) return "give a list or an object of its entries";
  if (can(Symbol.iterator)) return "give a list of what it gives";
  return "give a plain object, or a class a toJSON()";
}
