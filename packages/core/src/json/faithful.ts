import { quoted } from "../errors/names.js";
import { hasSymbolKeys, isJsonObject, isPlain, ownValue } from "./own.js";

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
    if ("toJSON" in next) return false;
    if (!Array.isArray(next) && !isPlain(next)) return false;
    seen.add(next);
    const members = Object.values(next);
    if (members.every((member) => member === undefined) && hasSymbolKeys(next)) return false;
    for (const member of members) left.push(member);
  }
  return true;
}

/**
 * Writes a number that is not finite, and a date that is none, as its name, in place of null. What a value's own `toJSON`
 * gives counts, but for that of a Buffer, which gives its bytes as a list.
 *
 * @throws TypeError for bytes, and for what JSON leaves out, or writes as {} or null, though it may have content.
 */
function faithful(this: Readonly<Record<string, unknown>>, key: string, written: unknown): unknown {
  if (typeof written === "string") return written;
  if (typeof written === "number") return Number.isFinite(written) ? written : String(written);
  if (written === undefined || isCode(written)) return leftOut(this, key, written);
  if (written === null && isNoTime(this[key])) return String(this[key]);
  if (!isJsonObject(written)) return written;
  if (!isPlain(written)) return ofClass(written);
  if (ArrayBuffer.isView(this[key]) && ownValue(written, "type") === "Buffer") throw bytes();
  if (hasOnlyHidden(written)) throw emptied(written);
  return written;
}

function ofClass(object: Readonly<Record<string, unknown>>): unknown {
  if (ArrayBuffer.isView(object) || tagOf(object) === "ArrayBuffer") throw bytes();
  if (isEmptied(object)) throw emptied(object);
  return object instanceof Number && !Number.isFinite(Number(object)) ? String(object) : object;
}

function bytes(): TypeError {
  return new TypeError("JSON cannot hold bytes: give them as base64 text.");
}

function emptied(object: Readonly<Record<string, unknown>>): TypeError {
  return lost(`an object of the type ${quoted(typeOf(object))} as {}`, object);
}

/** Returns what JSON leaves out of an object, and writes as null in a list. @throws TypeError where it stands for something. */
function leftOut(
  holder: Readonly<Record<string, unknown>>,
  key: string,
  written: unknown,
): unknown {
  const given = holder[key];
  if (given !== undefined && !isCode(given)) {
    const type = quoted(typeOf(Object(given)));
    throw new TypeError(
      `JSON leaves out an object of the type ${type}, whose toJSON() gives ${written === undefined ? "undefined" : `a ${typeof written}`}: let it give what the object stands for, or null.`,
    );
  }
  if (isCode(written) && Array.isArray(holder)) throw lost(`a ${typeof written} as null`, written);
  return written;
}

/** True for a date of any realm without a time. */
function isNoTime(value: unknown): boolean {
  return isJsonObject(value) && tagOf(value) === "Date" && Number.isNaN(Number(value));
}

/** True for an object of which JSON writes nothing, or leaves out the main thing. An instance of an empty class is one: what it holds cannot be seen. */
function isEmptied(object: object): boolean {
  if (isError(object) || ["Map", "Set"].includes(tagOf(object))) return true;
  // JSON writes what stands in the three.
  const isBoxed =
    !(Symbol.toStringTag in object) && ["Boolean", "Number", "String"].includes(tagOf(object));
  return Object.keys(object).length === 0 && !isBoxed;
}

/** True also for one of another realm. */
function isError(object: object): boolean {
  return object instanceof Error || tagOf(object) === "Error";
}

/** True if there is something in a plain object, and nothing that JSON sees. */
function hasOnlyHidden(object: Readonly<Record<string, unknown>>): boolean {
  let hasCode = false;
  for (const key in object) {
    const member = object[key];
    if (member !== undefined && !isCode(member)) return false;
    hasCode ||= member !== undefined;
  }
  return hasCode || hasSymbolKeys(object);
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
  if (isError(object)) return "give its message";
  if (hasSymbolKeys(object) && isPlain(object)) return "give its members names of text";
  if (can("then")) return "await it";
  if (can(Symbol.asyncIterator)) return "read it to its end, and give what it gave";
  if (can("arrayBuffer")) return "give its text, or its bytes as base64 text";
  if (can("entries")) return "give a list or an object of its entries";
  if (can(Symbol.iterator)) return "give a list of what it gives";
  return "give a plain object, or a class a toJSON()";
}
