import { quoted, ToolstileError } from "@toolstile/core";
import { isList, type NameList, readNameList, type ToolRule } from "./name-list.js";
import { allows, denies } from "./pattern.js";
import { type Members, ownEntries, readMembers } from "./plain-object.js";

/** Which tools may be called, and which may not. */
export interface ToolRules {
  /** Tools that may be called. Absent: these rules leave that to others. A wildcard here stands for printable ASCII only. */
  readonly allow?: Iterable<ToolRule> | undefined;
  /** Tools that may not be called, whatever any `allow` says. A wildcard here stands for every character that there is. */
  readonly deny?: Iterable<ToolRule> | undefined;
}

/** Rules for every call, and further ones by who asks. */
export interface AllowlistRules extends ToolRules {
  /** By agent name. */
  readonly agents?: Readonly<Record<string, ToolRules>> | ReadonlyMap<string, ToolRules>;
  /** By `context.principal`. */
  readonly principals?: Readonly<Record<string, ToolRules>> | ReadonlyMap<string, ToolRules>;
}

/** Rules after they were read. */
export interface Rules {
  readonly allow: NameList | undefined;
  readonly deny: NameList | undefined;
}
export interface RulesByAsker {
  readonly general: Rules;
  readonly agents: ReadonlyMap<string, Rules>;
  readonly principals: ReadonlyMap<string, Rules>;
}

const known = ["allow", "deny", "agents", "principals"] as const;

/** @throws ToolstileError where the rules are not well-formed, or would allow nothing. */
export function readRules(given: unknown): RulesByAsker {
  if (isList(given)) {
    assertMereList(given);
    const allow = readNameList("allowlist", given, allows);
    return { general: { allow, deny: undefined }, agents: new Map(), principals: new Map() };
  }
  if (typeof given !== "object" || given === null) {
    throw invalid(
      'allowlist takes a list of tool names, as in allowlist(["search"]), or an object of rules.',
    );
  }
  const members = readMembers("allowlist", given, known);
  const rules: RulesByAsker = {
    general: rulesIn("allowlist", members),
    agents: readByName("agents", members.agents),
    principals: readByName("principals", members.principals),
  };
  if (!everyRule(rules).some(({ allow }) => allow !== undefined)) {
    throw invalid(
      'allowlist has no allow, so that it would deny every call. To allow all but what is denied, write allow: [{ pattern: "*" }].',
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
    const extra = known.find((key) => Object.hasOwn(level as object, key));
    if (extra !== undefined) {
      throw invalid(
        `allowlist takes a list of tool names or an object of rules, and this is a list with ${quoted(extra)}. Write { allow: [ ... ], ${extra}: ... }.`,
      );
    }
  }
}

function rulesIn(where: string, { allow, deny }: Members<"allow" | "deny">): Rules {
  return {
    allow: allow === undefined ? undefined : readNameList(`${where}: allow`, allow, allows),
    deny: deny === undefined ? undefined : readNameList(`${where}: deny`, deny, denies),
  };
}

function readByName(key: "agents" | "principals", given: unknown): ReadonlyMap<string, Rules> {
  const read = new Map<string, Rules>();
  for (const [name, rules] of entriesOf(key, given)) {
    if (typeof name !== "string" || name === "") {
      throw invalid(`allowlist: ${key} has an empty name.`);
    }
    const where = `allowlist: ${key}: ${quoted(name)}`;
    const own = rulesIn(where, readMembers(where, rules, ["allow", "deny"]));
    if (own.allow === undefined && own.deny === undefined) {
      throw invalid(`${where} has neither allow nor deny.`);
    }
    read.set(name, own);
  }
  return read;
}

function entriesOf(key: string, given: unknown): Iterable<readonly [unknown, unknown]> {
  if (given === undefined) return [];
  if (given instanceof Map) return given;
  if (typeof given === "object" && given !== null && !isList(given)) {
    // In a literal, `__proto__: rules` sets the prototype: those rules are not lost but refused.
    return ownEntries(`allowlist: ${key}`, given);
  }
  throw invalid(`allowlist: ${key} is an object of rules by name, or a Map.`);
}

function invalid(message: string): ToolstileError {
  return new ToolstileError("ERR_INVALID_OPTION", message);
}
