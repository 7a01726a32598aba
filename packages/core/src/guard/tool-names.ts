import type { JsonObject } from "../protocol/guardrail.js";
import { PatternIndex } from "./pattern-index.js";

/** A pattern of tool names: `*` stands for any run of characters, `?` for one. */
export interface ToolPattern {
  readonly pattern: string;
}

/** Names and patterns, and whether they cover a name. */
export class ToolNames {
  readonly names: ReadonlySet<string>;
  readonly patterns: readonly string[];
  readonly #index: PatternIndex<string>;
  readonly #matches: PatternMatch;

  constructor(names: ReadonlySet<string>, patterns: readonly string[], matches: PatternMatch) {
    this.names = names;
    this.patterns = patterns;
    this.#index = new PatternIndex(patterns.map((pattern) => [pattern, pattern]));
    this.#matches = matches;
  }

  covers(name: string): boolean {
    return this.names.has(name) || this.#matchesOne(name);
  }

  #matchesOne(name: string): boolean {
    for (let group = this.#index.at(name); group !== undefined; group = group.outer) {
      const known = group.prefix.length;
      for (const pattern of group.entries) if (this.#matches(pattern, name, known)) return true;
    }
    return false;
  }
}

/** The longest pattern that is accepted, and the longest name that is compared in full. */
export const longestToolPattern = 256;

/** The JSON Schema of a tool's name, or a pattern of names, in options that are data. */
export const toolNameSchema: JsonObject = {
  anyOf: [
    {
      type: "string",
      minLength: 1,
      pattern: "^[^*?]*$",
      description: 'a plain name; a pattern is written as { pattern: "github_*" }',
    },
    {
      type: "object",
      properties: { pattern: { type: "string", minLength: 1, maxLength: longestToolPattern } },
      required: ["pattern"],
      additionalProperties: false,
    },
  ],
};

/** The number of code units of a name, from an index on, that one wildcard stands for; 0 if it may not. */
type Wildcard = (name: string, index: number) => number;

/**
 * True if a name matches a pattern: one function for what is allowed, one for what is denied.
 *
 * @param known the number of code units at the beginning of both that are known to be equal, and no wildcards.
 */
export type PatternMatch = (pattern: string, name: string, known?: number) => boolean;

/**
 * True if a pattern allows a name, from its first character to its last.
 *
 * `*` stands for any run of characters, `?` for one. Both stand for printable
 * ASCII only, so that no look-alike or invisible character comes in under a
 * pattern, and no name of more than 256 characters does.
 */
export const patternAllows: PatternMatch = (pattern, name, known) =>
  name.length <= longestToolPattern && matches(pattern, name, printable, known);

/**
 * True if a pattern denies a name: the wildcards stand for every character.
 *
 * A name of more than 256 characters is compared up to the first `*` only: in
 * doubt it is denied.
 */
export const patternDenies: PatternMatch = (pattern, name, known) =>
  matches(
    name.length <= longestToolPattern ? pattern : throughFirstStar(pattern),
    name,
    any,
    known,
  );

/**
 * No regular expression: the cost is at most the product of both lengths, and
 * where nothing follows the only star, their sum.
 */
function matches(pattern: string, name: string, wildcard: Wildcard, known = 0): boolean {
  let inPattern = known;
  let inName = known;
  // No star has come yet: the place behind one is never the first.
  let afterStar = 0;
  let starReaches = known;
  while (inName < name.length) {
    // Not a number, which equals nothing, at the end.
    const wanted = pattern.charCodeAt(inPattern);
    if (wanted === star) {
      afterStar = ++inPattern;
      starReaches = inName;
      continue;
    }
    const literal = wanted === name.charCodeAt(inName);
    const taken = literal ? 1 : wanted === questionMark ? wildcard(name, inName) : 0;
    if (taken > 0) {
      inPattern++;
      inName += taken;
      continue;
    }
    const more = afterStar === 0 ? 0 : wildcard(name, starReaches);
    if (more === 0) return false;
    inPattern = afterStar;
    starReaches += more;
    inName = starReaches;
  }
  while (pattern.charCodeAt(inPattern) === star) inPattern++;
  return inPattern === pattern.length;
}

const star = "*".charCodeAt(0);
const questionMark = "?".charCodeAt(0);

/** Printable ASCII, and no space. */
function printable(name: string, index: number): number {
  const code = name.charCodeAt(index);
  return code > 0x20 && code < 0x7f ? 1 : 0;
}

/** Any one character, of one code unit or two. */
function any(name: string, index: number): number {
  return (name.codePointAt(index) as number) > 0xffff ? 2 : 1;
}

function throughFirstStar(pattern: string): string {
  const star = pattern.indexOf("*");
  return star === -1 ? pattern : pattern.slice(0, star + 1);
}
