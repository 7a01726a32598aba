import { didYouMean, quoted } from "../errors/names.js";
import { member, ownValue } from "../json/own.js";
import type { JsonObject } from "../protocol/guardrail.js";
import { holdsValueOf } from "./held-values.js";
import { allNames, declaredNames, type Place, placeOf } from "./schema-place.js";
import type { StandardIssue } from "./standard-schema.js";

/**
 * Says where arguments do not match a schema, and what the schema expects there.
 *
 * The model repairs its call by these words. They quote the schema and its author, and
 * no argument: what a library says itself is left out where a value could be in it.
 */
export function describeIssue(
  issue: StandardIssue | undefined,
  schema: JsonObject = {},
  args: JsonObject,
): string {
  if (typeof issue !== "object" || issue === null) return "";
  const path = pathOf(issue);
  const undeclared = undeclaredKey(issue, path);
  if (undeclared !== undefined) return undeclaredAt(undeclared, schema, args);
  const place = placeOf(path, schema, args);
  const safely = (text: unknown): string | undefined => safe(text, args, schema);
  const expected = expectation(place, issue) ?? safely(ofLibrary(issue));
  const said = safely(ofAuthor(issue, expected !== undefined));
  const details = [
    place.isMissing ? "missing" : undefined,
    expected === undefined ? undefined : `expected ${expected}`,
  ].filter((each) => each !== undefined);
  const detail = details.join(", ");
  const words = said === undefined ? detail : detail === "" ? said : `${detail} (${said})`;
  const at = place.pointer === "" ? "" : ` at ${place.pointer}`;
  return words === "" ? at : `${at}: ${words}`;
}

function pathOf(issue: StandardIssue): readonly PropertyKey[] {
  const path = member(issue, "path");
  if (!Array.isArray(path)) return Array.from((path ?? []) as Iterable<PropertyKey>);
  return path.map((segment) => (typeof segment === "object" ? segment.key : segment));
}

/** The path of a property that the schema does not declare and forbids; undefined for any other fault. */
function undeclaredKey(
  issue: StandardIssue,
  path: readonly PropertyKey[],
): readonly PropertyKey[] | undefined {
  const keys = ownValue(issue, "keys");
  if (ownValue(issue, "code") === "unrecognized_keys" && Array.isArray(keys)) {
    return [...path, String(keys[0])];
  }
  const isForbidden =
    (ownValue(issue, "type") === "strict_object" && ownValue(issue, "expected") === "never") ||
    (ownValue(issue, "code") === "predicate" && member(issue, "expected") === "removed");
  return isForbidden ? path : undefined;
}

function undeclaredAt(path: readonly PropertyKey[], schema: JsonObject, args: JsonObject): string {
  const { pointer, schemas, value } = placeOf(path.slice(0, -1), schema, args);
  const absent = declaredNames(schemas).filter((name) => !Object.hasOwn(Object(value), name));
  const hint = didYouMean(String(path.at(-1)), absent);
  return ` at ${pointer}/*: this property is not declared${hint === "" ? "" : `.${hint}`}`;
}

/** The most values that are named, and the longest of them. */
const mostValues = 12;
const longest = 64;

/** The schema's expectation at a place, as far as it states one. */
function expectation(
  { schemas, value, isMissing }: Place,
  issue: StandardIssue,
): string | undefined {
  // What only joins others says nothing itself.
  const stating = schemas.filter(statesSomething);
  const values = stating.map(valuesOf);
  if (values.length > 0 && values.every((each) => each !== undefined)) {
    const all = [...new Set(values.flat())];
    return all.includes(value) ? undefined : oneOf(all);
  }
  if (isMissing || !stating.some((each) => mayHold(each, value))) {
    const words = new Set(stating.flatMap(valuesOrTypes));
    return words.size === 0 ? undefined : [...words].join(" or ");
  }
  for (const each of stating) {
    const broken = brokenLimit(each, value) ?? brokenFormat(each, value, issue);
    if (broken !== undefined) return broken;
  }
  return undefined;
}

function statesSomething(schema: JsonObject): boolean {
  return ["type", "enum", "const"].some((keyword) => Object.hasOwn(schema, keyword));
}

/** True if the values, or else the types, that a schema states let a value through. */
function mayHold(schema: JsonObject, value: unknown): boolean {
  const values = valuesOf(schema);
  return values?.includes(value) ?? typesOf(schema).some((type) => isOfType(value, type));
}

function valuesOrTypes(schema: JsonObject): readonly unknown[] {
  const values = valuesOf(schema);
  return values === undefined ? typesOf(schema) : [oneOf([...new Set(values)])];
}

function typesOf(schema: JsonObject): readonly unknown[] {
  return [ownValue(schema, "type") ?? []].flat();
}

function valuesOf(schema: JsonObject): readonly unknown[] | undefined {
  if (Object.hasOwn(schema, "const")) return [schema["const"]];
  const values = ownValue(schema, "enum");
  return Array.isArray(values) ? values : undefined;
}

function oneOf(values: readonly unknown[]): string {
  const isShort = (value: unknown): boolean =>
    typeof value === "string"
      ? value.length <= longest
      : typeof value !== "object" || value === null;
  if (values.length > mostValues || !values.every(isShort)) {
    return `one of ${values.length} declared values`;
  }
  return values
    .map((each) => (typeof each === "string" ? quoted(each) : String(each)))
    .join(" or ");
}

function isOfType(value: unknown, type: unknown): boolean {
  if (type === "null") return value === null;
  if (type === "array") return Array.isArray(value);
  if (type === "object")
    return typeof value === "object" && value !== null && !Array.isArray(value);
  if (type === "integer") return Number.isInteger(value);
  return typeof value === type;
}

/** The bounds of JSON Schema: what they bound, and how each is said. */
const limits: readonly (readonly [string, (size: number, limit: number) => boolean, string])[] = [
  ["minimum", (size, limit) => size < limit, "at least"],
  ["maximum", (size, limit) => size > limit, "at most"],
  ["exclusiveMinimum", (size, limit) => size <= limit, "more than"],
  ["exclusiveMaximum", (size, limit) => size >= limit, "less than"],
  ["minLength", (size, limit) => size < limit, "at least"],
  ["maxLength", (size, limit) => size > limit, "at most"],
  ["minItems", (size, limit) => size < limit, "at least"],
  ["maxItems", (size, limit) => size > limit, "at most"],
];

function brokenLimit(schema: JsonObject, value: unknown): string | undefined {
  for (const [keyword, breaks, words] of limits) {
    const limit = ownValue(schema, keyword);
    if (typeof limit !== "number" || !breaks(sizeFor(keyword, value), limit)) continue;
    return `${words} ${limit}${unitOf(keyword, limit)}`;
  }
  return undefined;
}

/** The codes that zod, ArkType and valibot have for text of a wrong form. */
const ofForm: readonly unknown[] = ["invalid_format", "invalid_string", "pattern", "regex"];

function brokenFormat(
  schema: JsonObject,
  value: unknown,
  issue: StandardIssue,
): string | undefined {
  const { format, pattern } = schema;
  const [code, type] = [ownValue(issue, "code"), ownValue(issue, "type")];
  const isOfForm = ofForm.includes(code) || ofForm.includes(type) || type === format;
  if (typeof value !== "string" || !isOfForm) return undefined;
  if (typeof format === "string") return `text of the format ${quoted(format)}`;
  return typeof pattern === "string" ? `text that matches ${quoted(pattern)}` : undefined;
}

/** The number that a bound is for; NaN, which no bound is broken by, if the value has none. */
function sizeFor(keyword: string, value: unknown): number {
  if (keyword.endsWith("Length")) return typeof value === "string" ? [...value].length : Number.NaN;
  if (keyword.endsWith("Items")) return Array.isArray(value) ? value.length : Number.NaN;
  return typeof value === "number" ? value : Number.NaN;
}

function unitOf(keyword: string, limit: number): string {
  const plural = limit === 1 ? "" : "s";
  if (keyword.endsWith("Length")) return ` character${plural}`;
  return keyword.endsWith("Items") ? ` item${plural}` : "";
}

/** The expectation that the library states. */
function ofLibrary(issue: StandardIssue): unknown {
  const expected = member(issue, "expected");
  return typeof expected === "string" ? expected.replace(/^\((.*)\)$/, "$1") : undefined;
}

/** The beginnings of the libraries' own messages, which say less than the schema does. */
const ofLibraries =
  /^(invalid|expected|required$|too (big|small)|unrecognized|(string|number|array|date|set) must|\S+ must be )/i;

/** The message of the schema's author. That of a library counts where nothing else is known. */
function ofAuthor(issue: StandardIssue, isKnown: boolean): unknown {
  const message = member(issue, "message");
  if (typeof message !== "string" || message === "Invalid input") return undefined;
  return isKnown && ofLibraries.test(message) ? undefined : message;
}

/** Longer words are left out. */
const mostWords = 200;

/** Words that are not the schema's own, if no argument value can be in them. */
function safe(text: unknown, args: JsonObject, schema: JsonObject): string | undefined {
  if (typeof text !== "string" || text.length > mostWords) return undefined;
  const line = text.replaceAll(/[\p{Cc}\p{Cf}\s]+/gu, " ").trim();
  return line === "" || holdsValueOf(line, args, allNames(schema)) ? undefined : line;
}
