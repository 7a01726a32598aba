import {
  invalidOption,
  isPlain,
  type OptionTable,
  optionError,
  ownValue,
  patternAllows,
  patternDenies,
  quoted,
  readOptions,
  type ToolNames,
  unchecked,
} from "@toolstile/core/provider";
import { isList, readNameList, type ToolRule } from "./name-list.js";

/** The tools that may be called, and those that may not. */
export interface ToolRules<Name extends string = string> {
  /** Tools that may be called. Absent: other rules decide that. A wildcard here stands for printable ASCII only. */
  readonly allow?: readonly ToolRule<Name>[] | Iterable<ToolRule<Name>> | undefined;
  /** Tools that may not be called, whatever any `allow` says. A wildcard here stands for every character that there is. */
  readonly deny?: readonly ToolRule<Name>[] | Iterable<ToolRule<Name>> | undefined;
}

type RulesByName<Name extends string = string> =
  | Readonly<Record<string, ToolRules<Name>>>
  | ReadonlyMap<string, ToolRules<Name>>;

/** Rules for every call, and further ones by who asks. */
export interface AllowlistRules<Name extends string = string> extends ToolRules<Name> {
  /** By agent name. */
  readonly agents?: RulesByName<Name> | undefined;
  /** By `context.principal`. */
  readonly principals?: RulesByName<Name> | undefined;
}

/** Rules after they were read. */
export interface Rules {
  readonly allow: ToolNames | undefined;
  readonly deny: ToolNames | undefined;
}
export interface RulesByAsker {
  readonly general: Rules;
  readonly agents: ReadonlyMap<string, Rules>;
  readonly principals: ReadonlyMap<string, Rules>;
}

const where = "allowlist()";

// The rules say themselves what they must be.
const toolRules = { allow: unchecked<Iterable<ToolRule>>(), deny: unchecked<Iterable<ToolRule>>() };
export const rulesTable = {
  ...toolRules,
  agents: unchecked<RulesByName>(),
  principals: unchecked<RulesByName>(),
} satisfies OptionTable<AllowlistRules>;

/** @throws ToolstileError where the rules are not well-formed, or would allow nothing. */
export function readRules(given: unknown): RulesByAsker {
  if (isList(given)) {
    assertMereList(given);
    const allow = readNameList(where, "rules", given, patternAllows);
    return { general: { allow, deny: undefined }, agents: new Map(), principals: new Map() };
  }
  if (typeof given !== "object" || given === null) {
    const expected = 'an array of tool names, as in allowlist(["search"]), or an object of rules';
    throw optionError(where, "rules", expected, given);
  }
  const members = readOptions(where, given, rulesTable);
  const rules: RulesByAsker = {
    general: rulesIn(where, members),
    agents: readByName("agents", members.agents),
    principals: readByName("principals", members.principals),
  };
  if (!everyRule(rules).some(({ allow }) => allow !== undefined)) {
    throw invalidOption(
      where,
      `'allow' must be given: without it every call would be denied. To allow all but what is denied, write allow: [{ pattern: "*" }].`,
    );
  }
  return rules;
}

/** All rules, whoever they are for. */
export function everyRule({ general, agents, principals }: RulesByAsker): readonly Rules[] {
  return [general, ...agents.values(), ...principals.values()];
}

/** A list is read for its names alone: rules that it has beside them would be lost. */
function assertMereList(list: object): void {
  for (
    let level: object | null = list;
    level !== null && level !== Object.prototype;
    level = Object.getPrototypeOf(level)
  ) {
    const extra = Object.keys(rulesTable).find((key) => Object.hasOwn(level as object, key));
    if (extra !== undefined) {
      throw invalidOption(
        where,
        `'rules' must be an array of tool names or an object of rules, received an array with ${quoted(extra)}. Write { allow: [ ... ], ${extra}: ... }.`,
      );
    }
  }
}

function rulesIn(at: string, { allow, deny }: ToolRules): Rules {
  return {
    allow: allow === undefined ? undefined : readNameList(at, "allow", allow, patternAllows),
    deny: deny === undefined ? undefined : readNameList(at, "deny", deny, patternDenies),
  };
}

function readByName(option: "agents" | "principals", given: unknown): ReadonlyMap<string, Rules> {
  const read = new Map<string, Rules>();
  for (const [name, rules] of entriesOf(option, given)) {
    if (typeof name !== "string" || name === "") {
      throw invalidOption(where, `'${option}' must not hold an empty name.`);
    }
    const at = `${where}: ${option}: ${quoted(name)}`;
    const own = rulesIn(at, readOptions(at, rules, toolRules));
    if (own.allow === undefined && own.deny === undefined) {
      throw invalidOption(at, "it must have 'allow' or 'deny'.");
    }
    read.set(name, own);
  }
  return read;
}

function entriesOf(option: string, given: unknown): Iterable<readonly [unknown, unknown]> {
  if (given === undefined) return [];
  if (given instanceof Map) return given;
  if (typeof given !== "object" || given === null || isList(given)) {
    throw optionError(where, option, "an object of rules by name, or a Map", given);
  }
  // In a literal, `__proto__: rules` sets the prototype: those rules are not lost but refused.
  if (!isPlain(given)) {
    throw invalidOption(
      where,
      `'${option}' must be a plain object: what it inherits would be lost. Write { ... }.`,
    );
  }
  // Hidden ones included: a `deny` that is not read would allow.
  return Object.getOwnPropertyNames(given).map((name) => [name, ownValue(given, name)]);
}
