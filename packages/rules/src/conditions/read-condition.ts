import type { JsonObject, JsonValue } from "@toolstile/core";
import {
  boolean,
  invalidOption,
  list,
  nonEmptyText,
  type OptionReader,
  optionError,
  readOptions,
  readPointer,
  text,
  unchecked,
} from "@toolstile/core/provider";
import { compileExpression } from "../cel/compile.js";
import { type CheckName, checkKinds, checkNames } from "../checks/kinds.js";
import type { Condition, Place } from "./condition.js";
import { hostNames, resultNames, type Source } from "./facts.js";
import { readTimeWindow } from "./time-window.js";

/** A condition as data. It looks at one place with `at`, `host` or `result`, or is made of others. */
export interface RuleCondition {
  /** A JSON Pointer into the arguments: `/items/0/name`. A step `*` stands for each entry or member. */
  readonly at?: string | undefined;
  /** A JSON Pointer into the facts of the host: `/agentName`, `/principal`, `/sessionId`, `/tenant`, `/attributes/role`. */
  readonly host?: string | undefined;
  /** A JSON Pointer into the result: `/text`, `/isError`, `/content`, `/structured`. */
  readonly result?: string | undefined;
  /** True lets the rule not apply where there is no value. */
  readonly optional?: boolean | undefined;
  readonly present?: boolean | undefined;
  readonly equals?: JsonValue | undefined;
  readonly oneOf?: readonly JsonValue[] | undefined;
  readonly above?: number | undefined;
  readonly atLeast?: number | undefined;
  readonly below?: number | undefined;
  readonly atMost?: number | undefined;
  readonly length?: RuleBounds | undefined;
  readonly startsWith?: string | readonly string[] | undefined;
  readonly endsWith?: string | readonly string[] | undefined;
  readonly contains?: string | readonly string[] | undefined;
  readonly matches?: string | undefined;
  readonly pathUnder?: string | readonly string[] | undefined;
  readonly realPathUnder?: string | readonly string[] | undefined;
  readonly pathHas?: string | readonly string[] | undefined;
  readonly realPathHas?: string | readonly string[] | undefined;
  readonly hostIn?: string | readonly string[] | undefined;
  readonly urlScheme?: string | readonly string[] | undefined;
  readonly command?: string | readonly string[] | undefined;
  readonly emailDomain?: string | readonly string[] | undefined;
  readonly all?: readonly RuleCondition[] | undefined;
  readonly any?: readonly RuleCondition[] | undefined;
  readonly not?: RuleCondition | undefined;
  readonly time?: RuleTime | undefined;
  readonly cel?: string | undefined;
}

export interface RuleBounds {
  readonly above?: number | undefined;
  readonly atLeast?: number | undefined;
  readonly below?: number | undefined;
  readonly atMost?: number | undefined;
}

export interface RuleTime {
  readonly zone: string;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly weekdays?: readonly string[] | undefined;
}

const sources = ["at", "host", "result"] as const satisfies readonly Source[];
const forms = ["all", "any", "not", "time", "cel"] as const;

type Table = Readonly<Record<string, OptionReader<unknown>>>;

/** A check's value passes unread here: its check reads it. */
const table: Table = {
  ...Object.fromEntries(sources.map((name) => [name, text("a JSON Pointer, as text")])),
  optional: boolean(),
  present: boolean(),
  ...Object.fromEntries(checkNames.map((name) => [name, unchecked<unknown>()])),
  all: list(unchecked<unknown>(), "a list of conditions", { least: 1 }),
  any: list(unchecked<unknown>(), "a list of conditions", { least: 1 }),
  not: unchecked<unknown>(),
  time: unchecked<unknown>(),
  cel: nonEmptyText("an expression, as text"),
};

const deepest = 16;

/** The sources that a condition of a rule may look at. */
interface Reach {
  /** True for a rule on results. */
  readonly result: boolean;
}

/** The reading of a condition of a rule. */
export interface ReadingCondition extends Reach {
  /**
   * The places that conditions look at, which they share. A call reads the
   * rules about its tool out of many: what each has alone is fetched anew for
   * each, and takes longer than what is done with it.
   */
  readonly places: Map<string, Place>;
}

/** @throws ToolstileError that names the place in the rule and the way out. */
export function readCondition(
  given: unknown,
  where: string,
  reading: ReadingCondition,
  depth = 0,
): Condition {
  if (depth > deepest) {
    throw invalidOption(where, `conditions must be at most ${deepest} deep.`);
  }
  const read: Readonly<Record<string, unknown>> = readOptions(where, given, table);
  const source = only(sources, read, where);
  const form = only(forms, read, where);
  if (source !== undefined) {
    if (form === undefined) return valueCondition(source, read, where, reading);
    throw invalidOption(
      where,
      `'${source}' and '${form}' must not stand in one condition. Put them under 'all'.`,
    );
  }
  const stray = Object.keys(read).find((name) => !isOneOf(forms, name));
  if (stray !== undefined) {
    throw invalidOption(where, `'${stray}' must stand beside 'at', 'host' or 'result'.`);
  }
  const inner = (each: unknown, place: string): Condition =>
    readCondition(each, place, reading, depth + 1);
  switch (form) {
    case "all":
    case "any": {
      const each = read[form] as readonly unknown[];
      const of = each.map((one, index) => inner(one, `${where}.${form}[${index}]`));
      return { kind: form, of };
    }
    case "not":
      return { kind: "not", of: inner(read.not, `${where}.not`) };
    case "time":
      return { kind: "time", window: readTimeWindow(read.time, `${where}.time`) };
    case "cel":
      return celCondition(read.cel as string, `${where}.cel`, reading);
    default:
      throw invalidOption(
        where,
        "a condition must have 'at', 'host' or 'result' with a check, or 'all', 'any', 'not', 'time' or 'cel'.",
      );
  }
}

function only<Name extends string>(
  names: readonly Name[],
  read: Readonly<Record<string, unknown>>,
  where: string,
): Name | undefined {
  const [first, second] = names.filter((name) => read[name] !== undefined);
  if (second === undefined) return first;
  throw invalidOption(
    where,
    `'${first}' and '${second}' must not stand in one condition. Put them under 'all'.`,
  );
}

function isOneOf(names: readonly string[], name: string): boolean {
  return names.includes(name);
}

function valueCondition(
  source: Source,
  read: Readonly<Record<string, unknown>>,
  where: string,
  reading: ReadingCondition,
): Condition {
  const place = readPlace(source, read[source] as string, where, reading);
  const named = checkNames.filter((name) => read[name] !== undefined);
  const optional = read.optional === true;
  if (read.present !== undefined) {
    const other = named[0] ?? (read.optional === undefined ? undefined : "optional");
    if (other === undefined) return { kind: "present", place, wanted: read.present === true };
    throw invalidOption(where, `'present' and '${other}' must not stand in one condition.`);
  }
  if (named.length === 0) {
    const all = ["present", ...checkNames].join(", ");
    throw invalidOption(where, `a check must stand beside '${source}'. There are: ${all}.`);
  }
  const checks = named.map((name: CheckName) => checkKinds[name].read(read[name], where, name));
  const several = place.pointer.includes("*");
  return { kind: "value", place, optional, several, checks };
}

function readPlace(
  source: Source,
  written: string,
  where: string,
  { result, places }: ReadingCondition,
): Place {
  if (source === "result" && !result) {
    throw invalidOption(
      where,
      "'result' must stand in a rule on results: one with 'withhold' or 'cut'.",
    );
  }
  const key = `${source} ${written}`;
  const shared = places.get(key);
  if (shared !== undefined) return shared;
  const pointer = readPointer(written, where, source);
  const known: readonly string[] | undefined =
    source === "host" ? hostNames : source === "result" ? resultNames : undefined;
  const [first] = pointer;
  if (known === undefined || (first !== undefined && known.includes(first))) {
    const place = { source, pointer, written };
    places.set(key, place);
    return place;
  }
  const all = known.map((name) => `/${name}`).join(", ");
  throw optionError(where, source, `one of ${all}, or lead into one`, written);
}

const celHost: JsonObject = {
  type: "object",
  properties: {
    ...Object.fromEntries(hostNames.map((name) => [name, { type: "string" }])),
    attributes: {},
  },
  additionalProperties: false,
};

/** The variables of an expression, as far as they are the same for all tools. */
export function celVariables(
  reach: Reach,
  args: JsonObject | boolean,
  structured: JsonObject | boolean,
): Readonly<Record<string, JsonObject | boolean>> {
  const result: JsonObject = {
    type: "object",
    properties: {
      text: { type: "string" },
      isError: { type: "boolean" },
      content: {},
      structured: structured === true ? {} : structured,
    },
    additionalProperties: false,
  };
  const always = { args, tool: { type: "string" }, host: celHost };
  return reach.result ? { ...always, result } : always;
}

function celCondition(text: string, where: string, reach: Reach): Condition {
  const expression = compileExpression(text, {
    variables: celVariables(reach, true, true),
    where,
  });
  return { kind: "cel", text, expression };
}
