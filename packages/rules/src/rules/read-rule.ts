import {
  invalidOption,
  list,
  longestToolPattern,
  nonEmptyText,
  oneOf,
  optionError,
  patternDenies,
  positive,
  quoted,
  readOptions,
  readPointer,
  required,
  such,
  ToolNames,
  text,
  unchecked,
  whole,
} from "@toolstile/core/provider";
import { readNumber } from "../checks/operands.js";
import { type ReadingCondition, readCondition } from "../conditions/read-condition.js";
import { countedBy } from "../counting/count.js";
import { addends, Total } from "../counting/total.js";
import { type Change, readChange } from "./change.js";
import { leastCut } from "./cut.js";
import type { Effect, Rule } from "./rule.js";

const effects = ["deny", "ask", "change", "withhold", "cut"] as const satisfies readonly Effect[];
const ofResults: ReadonlySet<Effect> = new Set(["withhold", "cut"]);
export const idPattern = "^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$";

const readers = {
  id: required(
    such<string>(
      (id) => typeof id === "string" && new RegExp(idPattern).test(id),
      "1 to 64 letters, digits, dots, hyphens and underscores, as in refund-limit",
    ),
  ),
  tools: list(unchecked<unknown>(), "a list of tool names"),
  when: unchecked<unknown>(),
  require: unchecked<unknown>(),
  repeats: whole(1, 1_000),
  total: unchecked<unknown>(),
  deny: nonEmptyText("a reason, as text"),
  ask: nonEmptyText("a reason, as text"),
  expiresInMs: positive("a positive number of milliseconds"),
  change: unchecked<unknown>(),
  withhold: nonEmptyText("a reason, as text"),
  cut: whole(leastCut),
};

/** @throws ToolstileError that names the rule, the key and the way out. */
export function readRule(
  given: unknown,
  where: string,
  maxKeys: number,
  places: ReadingCondition["places"],
): Rule {
  const read = readOptions(where, given, readers);
  const { id, when, require, repeats, total, expiresInMs } = read;
  const effect = effectOf(read, where);
  const reading = { result: ofResults.has(effect), places };
  const counted = repeats === undefined ? (total === undefined ? undefined : "total") : "repeats";
  if (counted !== undefined && effect !== "deny" && effect !== "ask") {
    throw invalidOption(where, `'${counted}' must stand in a rule with 'deny' or 'ask'.`);
  }
  if (repeats !== undefined && total !== undefined) {
    throw invalidOption(where, "'repeats' and 'total' must stand in rules of their own.");
  }
  if (expiresInMs !== undefined && effect !== "ask") {
    throw invalidOption(where, "'expiresInMs' must stand beside 'ask'.");
  }
  return {
    id,
    effect,
    tools: readTools(read.tools, where),
    hasPatterns: read.tools?.some((each) => typeof each !== "string") === true,
    when: when === undefined ? undefined : readCondition(when, `${where}.when`, reading),
    require:
      require === undefined ? undefined : readCondition(require, `${where}.require`, reading),
    repeats,
    total: total === undefined ? undefined : readTotal(total, `${where}.total`, maxKeys),
    reason: read.deny ?? read.ask ?? read.withhold ?? "",
    expiresInMs,
    changes: effect === "change" ? readChanges(read.change, where) : [],
    cut: read.cut ?? Number.POSITIVE_INFINITY,
    where,
  };
}

function effectOf(read: Readonly<Record<string, unknown>>, where: string): Effect {
  const [effect, another] = effects.filter((name) => read[name] !== undefined);
  if (effect === undefined) {
    throw invalidOption(where, `a rule must have one of: ${effects.join(", ")}.`);
  }
  if (another === undefined) return effect;
  throw invalidOption(where, `'${effect}' and '${another}' must stand in rules of their own.`);
}

function readTools(given: readonly unknown[] | undefined, where: string): ToolNames | undefined {
  if (given === undefined) return undefined;
  if (given.length === 0) {
    throw invalidOption(where, "'tools' must hold at least one: leave it out for all tools.");
  }
  const names = new Set<string>();
  const patterns: string[] = [];
  for (const [index, each] of given.entries()) {
    if (typeof each === "string") names.add(readName(each, where, `tools[${index}]`));
    else {
      const table = { pattern: required(nonEmptyText("a pattern of tool names")) };
      const { pattern } = readOptions(`${where}.tools[${index}]`, each, table);
      if (pattern.length > longestToolPattern) {
        const expected = `a pattern of at most ${longestToolPattern} characters`;
        throw optionError(where, `tools[${index}].pattern`, expected, pattern);
      }
      patterns.push(pattern.replace(/\*+/g, "*"));
    }
  }
  return new ToolNames(names, patterns, patternDenies);
}

function readName(name: string, where: string, option: string): string {
  if (name === "") throw optionError(where, option, "the name of a tool", name);
  if (!/[*?]/.test(name)) return name;
  throw invalidOption(
    where,
    `'${option}' must hold a pattern as an object: write { pattern: ${quoted(name)} }. A plain name is compared as it is.`,
  );
}

function readChanges(given: unknown, where: string): readonly Change[] {
  if (!Array.isArray(given)) return [readChange(given, `${where}.change`)];
  if (given.length === 0) throw invalidOption(where, "'change' must hold a change.");
  return given.map((each, index) => readChange(each, `${where}.change[${index}]`));
}

function readTotal(given: unknown, where: string, maxKeys: number): Total {
  const { at, of, above, per } = readOptions(where, given, {
    at: required(
      text(
        "a JSON Pointer to the number or, with of: length, to the text that is added up, as text (to limit how many calls there are, use @toolstile/rate-limit)",
      ),
    ),
    of: oneOf(...addends).default("value"),
    above: unchecked<unknown>(),
    per: oneOf(...countedBy).default("session"),
  });
  return new Total({
    at,
    pointer: readPointer(at, where, "at"),
    of,
    above: readNumber(above, where, "above"),
    per,
    maxKeys,
  });
}
