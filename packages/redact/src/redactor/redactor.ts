import type { JsonObject, JsonValue } from "@toolstile/core";
import { invalidOption } from "@toolstile/core/provider";
import { detectors, kindNames } from "../kinds/kinds.js";
import { longestWhole } from "../scan/encoded.js";
import { type Finding, Ranges } from "../scan/findings.js";
import { Scanner } from "../scan/scanner.js";
import { type Replace, replacing } from "./actions.js";
import { allowing } from "./allowed.js";
import { replacedAcross } from "./divided.js";
import {
  type JsonFinding,
  type Mark,
  marked,
  type Redacted,
  redactedJson,
  type TextReading,
} from "./json-pass.js";
import { completed, type RedactorOptions, readRedactorOptions } from "./options.js";
import { Paths } from "./paths.js";
import { checkedText, RedactStream } from "./stream.js";

/** Kinds whose items may be thousands of units long. */
const longKinds = ["secret.private_key", "secret.jwt", "secret.bearer_header"];
/** The longest other item, with the words before it that it depends on. */
const longestItem = 2_048;
/** The same where what is encoded is looked into. */
const longestEncoded = longestWhole + 512;

/** Finds and replaces sensitive data. The same text always gives the same. */
export interface Redactor {
  readonly kinds: readonly string[];
  /** The UTF-16 units that a stream holds back: no item and no word that it depends on is longer. */
  readonly holdback: number;
  /** The findings in a text, disjoint and in order, in UTF-16 units. */
  readonly find: (text: string) => readonly Finding[];
  readonly text: (text: string) => Redacted<string>;
  /** Redacts the strings and names in a JSON value, and numbers that are an item. Throws ToolstileError `ERR_NOT_JSON` for what is none, and `ERR_INVALID_OPTION` for the text of a value in which `paths` could not be found. */
  readonly json: (value: JsonValue) => Redacted<JsonValue>;
  /** The findings in a JSON value, with the places of what `json` redacts. Throws as `json`. */
  readonly findInJson: (value: JsonValue) => readonly JsonFinding[];
  /** Redacts a text that comes in pieces; together they are what `text` gives for the whole. */
  readonly stream: () => RedactStream;
}

/**
 * Makes a redactor.
 *
 * @throws ToolstileError `ERR_INVALID_OPTION` or `ERR_UNKNOWN_OPTION` for wrong options.
 */
export function redactor(options: RedactorOptions = {}): Redactor {
  const read = readRedactorOptions("redactor", options);
  const built = builtRedactor(read);
  if (Object.keys(read.paths ?? {}).length === 0) return built;
  return {
    ...built,
    json(value) {
      // No path is found in a text: what the paths are about would pass.
      if (!isTextOfJson(value)) return built.json(value);
      const problem =
        "the value of json() must be the value itself where 'paths' are given, received its text. Give JSON.parse(text).";
      throw invalidOption("redactor()", problem);
    },
  };
}

function isTextOfJson(value: unknown): boolean {
  return typeof value === "string" && /^\s*[[{]/.test(value) && parses(value);
}

/** A redactor as the guard has it. */
export interface BuiltRedactor extends Redactor {
  /** Redacts the items that are divided over two or more of some texts, and nothing else. A mark stands where its item begins. */
  readonly divided: (texts: readonly string[]) => readonly Redacted<string>[];
}

/** @param others - kinds that others find, whose marks are passed over too. */
export function builtRedactor(
  given: RedactorOptions,
  others: readonly string[] = [],
): BuiltRedactor {
  const options = completed("redactor", given, others);
  const { kinds, encoded = true } = options;
  const wanted = new Set(kinds);
  const markKinds = markedKinds(others);
  const scanner = new Scanner(
    detectors.filter(({ kind }) => wanted.has(kind)),
    markKinds,
    encoded,
  );
  const { allow = [] } = options;
  const isAllowed = allow.length === 0 ? undefined : allowing(allow);
  const find = (text: string): readonly Finding[] =>
    scanner.find(checkedText("the text", text), isAllowed);
  const replace = replacing(options.actionOf, options.key, options.tokens);
  const paths = new Paths(options.paths ?? {}, options.key, options.tokens);
  const holdback = longKinds.some((kind) => wanted.has(kind))
    ? 2 * longestEncoded
    : encoded
      ? longestEncoded
      : longestItem;
  const divided = (texts: readonly string[]) => {
    const whole = texts.join("");
    return replacedAcross(texts, whole, find(whole), replace);
  };
  const marks = (text: string, found: readonly Finding[]) => marksOf(text, found, replace);
  const reading = {
    find,
    joined: (text: string, one: readonly Finding[], other: readonly Finding[]) =>
      joined(
        one,
        other.filter((each) => !isAllowed?.(each, text)),
      ),
    marks,
  };
  return {
    kinds: [...wanted],
    holdback,
    find,
    text: (text) => {
      const found = find(text);
      return { value: marked(text, marks(text, found)), kinds: kindsOf(found) };
    },
    json: (value) => {
      const { value: redacted, kinds } = redactedJson(value, reading, paths);
      return { value: redacted, kinds };
    },
    findInJson: (value) => foundInJson(value, reading, paths),
    divided,
    stream: () => new RedactStream(find, replace, holdback, markKinds),
  };
}

/** The findings in a JSON value, in the order in which they stand there. */
function foundInJson(value: JsonValue, reading: TextReading, paths: Paths): readonly JsonFinding[] {
  const { leaves } = redactedJson(value, reading, paths);
  const findings: JsonFinding[] = [];
  let leaf = 0;
  /** The findings in the next leaf, and how it stands in a pointer. */
  const next = (): {
    readonly found: readonly Finding[];
    readonly step: (name: string) => string;
  } => {
    const found = leaves.get(leaf)?.found ?? [];
    leaf += 1;
    const step = (name: string) =>
      marked(name, reading.marks(name, found)).replaceAll("~", "~0").replaceAll("/", "~1");
    return { found, step };
  };
  const walk = (value: JsonValue, names: readonly string[], path: string): void => {
    const ruled = paths.at(names, value);
    if (ruled !== undefined) {
      if (ruled.value === value) return;
      const text = typeof value === "string" ? value : JSON.stringify(value);
      findings.push({ path, start: 0, end: text.length, kind: "path" });
    } else if (typeof value === "string" || typeof value === "number") {
      for (const found of next().found) findings.push({ path, ...found });
    } else if (Array.isArray(value)) {
      for (const [index, item] of value.entries())
        walk(item, [...names, String(index)], `${path}/${index}`);
    } else if (typeof value === "object" && value !== null) {
      for (const [name, member] of Object.entries(value as JsonObject)) {
        const { found, step } = next();
        const own = `${path}/${step(name)}`;
        for (const each of found) findings.push({ path: own, ...each, inName: true });
        if (member !== undefined) walk(member, [...names, name], own);
      }
    }
  };
  walk(value, [], "");
  return findings;
}

/** The kinds that make a mark, with those that others find. */
export function markedKinds(others: readonly string[]): ReadonlySet<string> {
  return new Set([...kindNames, ...others, "path"]);
}

function kindsOf(found: readonly Finding[]): readonly string[] {
  return [...new Set(found.map(({ kind }) => kind))];
}

/** Findings of two readings, disjoint and in order; those that overlap are one, of the kind listed first. */
function joined(one: readonly Finding[], other: readonly Finding[]): readonly Finding[] {
  if (other.length === 0) return one;
  const ranges = new Ranges();
  for (const { start, end, kind } of [...one, ...other])
    ranges.add(start, end, kindNames.indexOf(kind));
  const all = ranges.disjoint();
  return Array.from({ length: all.length }, (_, index) => ({
    start: all.start(index),
    end: all.end(index),
    kind: kindNames[all.kind(index)] as string,
  }));
}

/** The marks in place of findings. In text that is JSON, a mark in place of a number is a string. */
function marksOf(text: string, found: readonly Finding[], replace: Replace): readonly Mark[] {
  if (found.length === 0) return [];
  const numbers = /^\s*[[{]/.test(text) ? numbersAt(text, found) : [];
  const isJson = numbers.some((number) => number !== undefined) && parses(text);
  return found.map((finding, index) => {
    const mark = replace(finding, text);
    const number = isJson ? numbers[index] : undefined;
    if (number === undefined) return { start: finding.start, end: finding.end, mark };
    const { start, end } = number;
    const whole = text.slice(start, finding.start) + mark + text.slice(finding.end, end);
    return { start, end, mark: JSON.stringify(whole) };
  });
}

const number = /[-+.\deE]/;

/** For each finding in a text that may be JSON: the place of the number of which it is all or a part; undefined in a string. */
function numbersAt(
  text: string,
  found: readonly Finding[],
): readonly ({ readonly start: number; readonly end: number } | undefined)[] {
  let at = 0;
  let isString = false;
  return found.map((finding) => {
    for (; at < finding.start; at++) {
      const sign = text.charCodeAt(at);
      if (sign === 34) isString = !isString;
      else if (sign === 92) at += 1;
    }
    if (
      isString ||
      !/^\d+$/.test(text.slice(finding.start, Math.min(finding.end, finding.start + 32)))
    )
      return undefined;
    let { start, end } = finding;
    while (number.test(text.charAt(start - 1))) start -= 1;
    while (number.test(text.charAt(end))) end += 1;
    return { start, end };
  });
}

function parses(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
