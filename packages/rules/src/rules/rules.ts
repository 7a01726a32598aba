import {
  chain,
  type GuardrailProvider,
  type ResultGuardrail,
  type ToolDefinition,
} from "@toolstile/core";
import {
  func,
  invalidOption,
  list,
  nonEmptyText,
  type OptionTable,
  oneOf,
  ownValue,
  quoted,
  readOptions,
  required,
  unchecked,
  whole,
} from "@toolstile/core/provider";
import { callGuard } from "./call-guard.js";
import { changeGuard } from "./change-guard.js";
import { checkTool } from "./check-tool.js";
import { readRule } from "./read-rule.js";
import { resultGuard } from "./result-guard.js";
import type { Effect, Rule, ToolRule } from "./rule.js";
import { RuleFaults } from "./rule-faults.js";
import { RuleIndex } from "./rule-index.js";

export interface RulesOptions<Name extends string = string> {
  readonly rules: readonly ToolRule<Name>[];
  /** Default "rules". */
  readonly name?: string | undefined;
  /** "error", the default: a name in `tools` that no tool has is an error at load. "ignore": the tool may come later. */
  readonly unknownTools?: "error" | "ignore" | undefined;
  /** The number of sums that each `total` keeps. A call of one more session cannot be told, so its rule applies. Default 100,000. */
  readonly maxKeys?: number | undefined;
  /** Milliseconds since 1970, for `time`. Default `Date.now`. */
  readonly now?: (() => number) | undefined;
}

const table = {
  rules: required(list(unchecked<ToolRule>(), "a list of rules", { least: 1 })),
  name: nonEmptyText().default("rules"),
  unknownTools: oneOf("error", "ignore").default("error"),
  maxKeys: whole(1).default(100_000),
  now: func<() => number>("a function that returns milliseconds since 1970"),
} satisfies OptionTable<RulesOptions>;

/** The rules and options after they were read. */
interface ReadRules {
  readonly rules: readonly Rule[];
  readonly name: string;
  readonly unknownTools: "error" | "ignore";
  readonly now: () => number;
}

/** @throws ToolstileError `ERR_INVALID_OPTION` or `ERR_UNKNOWN_OPTION`, with the place and the way out of each rule that is wrong. */
export function readRules(options: unknown): ReadRules {
  const where = "rules()";
  const { rules: given, maxKeys, now = Date.now, ...rest } = readOptions(where, options, table);
  const faults = new RuleFaults();
  const ids = new Set<string>();
  const places = new Map();
  const rules = given.flatMap((each, index) => {
    const place = `${where}: rules[${index}]`;
    return faults.attempt(ownValue(each, "id"), () => readRule(each, place, maxKeys, places)) ?? [];
  });
  for (const { id, where } of rules) {
    if (ids.has(id))
      faults.add(undefined, invalidOption(where, `another rule has the id ${quoted(id)}.`));
    ids.add(id);
  }
  faults.throwIfAny();
  return { ...rest, rules, now };
}

/**
 * Holds calls and results to rules that are data.
 *
 * In doubt a rule applies: where a value that it asks about is missing or of another kind, or where an
 * expression fails. Rules only ever restrict. Changes come first; a denial wins over a question to a
 * human; of several denials, the first in the order of the rules is given.
 *
 * A guard whose rules are all about results judges no call.
 *
 * @throws ToolstileError `ERR_INVALID_OPTION` or `ERR_UNKNOWN_OPTION`, with the place and the way out.
 */
export function rules<Name extends string = string>(
  options: RulesOptions<NoInfer<Name>>,
): GuardrailProvider | ResultGuardrail {
  const { rules, name, unknownTools, now } = readRules(options);
  const index = new RuleIndex(rules);
  const has = (...effects: Effect[]) => rules.some(({ effect }) => effects.includes(effect));
  const common = {
    register: (tool: ToolDefinition) => checkTool(rules, tool),
    tools: unknownTools === "ignore" ? undefined : Object.freeze([...index.names]),
  };
  const ofResults = has("withhold", "cut") ? resultGuard(index, now) : undefined;
  const changing = has("change") ? changeGuard(index, now) : undefined;
  const deciding = has("deny", "ask") ? callGuard(index, rules, now) : undefined;
  const judging = deciding ?? changing;
  if (judging === undefined) return { name, ...common, ...ofResults } as ResultGuardrail;
  const guard: GuardrailProvider = { name, ...common, ...judging, ...ofResults };
  if (changing === undefined || judging === changing) return guard;
  return chain([{ name: `${name}-changes`, ...changing }, guard], { name });
}
