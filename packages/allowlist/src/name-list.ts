import { quoted, ToolstileError } from "@toolstile/core";
import { longest, type Match } from "./pattern.js";
import { readMembers } from "./plain-object.js";

/**
 * The name of a tool, byte for byte, or a pattern that names of tools match.
 *
 * `*` stands for any run of characters and `?` for one: of printable ASCII
 * where tools are allowed, of every character where they are denied.
 */
export type ToolRule = string | { readonly pattern: string };

/** How many answers of the patterns are remembered. */
const remembered = 1_000;

/** Names and patterns, and whether they cover a name. */
export class NameList {
  readonly names: ReadonlySet<string>;
  readonly #patterns: readonly string[];
  readonly #match: Match;
  /** What the patterns said of names that were asked for, so that asking again costs no more than a name. */
  readonly answers = new Map<string, boolean>();

  constructor(names: ReadonlySet<string>, patterns: readonly string[], match: Match) {
    this.names = names;
    this.#patterns = patterns;
    this.#match = match;
  }

  covers(name: string): boolean {
    return this.names.has(name) || (this.#patterns.length > 0 && this.#matches(name));
  }

  #matches(name: string): boolean {
    const known = this.answers.get(name);
    if (known !== undefined) return known;
    const answer = this.#patterns.some((pattern) => this.#match(pattern, name));
    // Forgetting costs time and changes no answer.
    if (this.answers.size >= remembered) this.answers.clear();
    if (name.length <= longest) this.answers.set(ownCopy(name), answer);
    return answer;
  }
}

/** @throws ToolstileError `ERR_INVALID_OPTION` for what is neither a name nor a pattern. */
export function readNameList(where: string, rules: unknown, match: Match): NameList {
  if (!isList(rules)) {
    throw invalid(`${where} is a list of tool names, as in ["search"].`);
  }
  const names = new Set<string>();
  const patterns = new Set<string>();
  for (const rule of rules) {
    if (typeof rule === "string") names.add(readName(where, rule));
    else patterns.add(readPattern(where, rule));
  }
  return new NameList(names, [...patterns], match);
}

/** A text is iterable, too, but a list of its letters is never meant. */
export function isList(value: unknown): value is Iterable<unknown> {
  return (
    typeof value === "object" &&
    value !== null &&
    typeof (value as Partial<Iterable<unknown>>)[Symbol.iterator] === "function"
  );
}

function readName(where: string, name: string): string {
  if (name === "") throw invalid(`${where} has an empty name.`);
  if (/[*?]/.test(name)) {
    throw invalid(
      `${where} names the tool ${quoted(name)}. A name is never a pattern: write { pattern: ${quoted(name)} } if one is meant.`,
    );
  }
  return name;
}

function readPattern(where: string, rule: unknown): string {
  const { pattern } = readMembers(`A rule of ${where}`, rule, ["pattern"]);
  if (typeof pattern !== "string" || pattern === "" || pattern.length > longest) {
    throw invalid(
      `A pattern of ${where} is a text of 1 to ${longest} characters, as in { pattern: "github_*" }.`,
    );
  }
  return pattern.replace(/\*+/g, "*");
}

/** A copy with memory of its own: a name cut out of a large text would keep all of that alive. */
function ownCopy(name: string): string {
  return JSON.parse(JSON.stringify(name)) as string;
}

function invalid(message: string): ToolstileError {
  return new ToolstileError("ERR_INVALID_OPTION", message);
}
