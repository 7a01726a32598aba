import { checkOptions, quoted, ToolstileError } from "@toolstile/core";
import { isList, type NameList, readNameList, type ToolRule } from "./name-list.js";

/** Which tools may be called, and which may not. */
export interface ToolRules {
  /** Tools that may be called. Absent: these rules leave that to others. */
  readonly allow?: Iterable<ToolRule> | undefined;
  /** Tools that may not be called, whatever any `allow` says. */
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

/** @throws ToolstileError where the rules are not well-formed, or would allow nothing. */
export function readRules(given: unknown): RulesByAsker {
  if (isList(given)) {
    const allow = readNameList("allowlist", given);
    return { general: { allow, deny: undefined }, agents: new Map(), principals: new Map() };
  }
  if (typeof given === "string") {
    throw new ToolstileError("ERR_INVALID_OPTION", 'allowlist takes a list, as in ["search"].');
  }
  checkOptions("allowlist", given, ["allow", "deny", "agents", "principals"]);
  const { agents, principals, ...general } = ownOf<AllowlistRules>(given);
  const rules: RulesByAsker = {
    general: readToolRules("allowlist", general),
    agents: readByName("agents", agents),
    principals: readByName("principals", principals),
  };
  if (!everyRule(rules).some(({ allow }) => allow !== undefined)) {
    throw new ToolstileError(
      "ERR_INVALID_OPTION",
      'allowlist has no allow, so that it would deny every call. To allow all but what is denied, write allow: [{ pattern: "*" }].',
    );
  }
  return rules;
}

/** All rules, whoever they are for. */
export function everyRule({ general, agents, principals }: RulesByAsker): readonly Rules[] {
  return [general, ...agents.values(), ...principals.values()];
}

function readToolRules(where: string, given: unknown): Rules {
  checkOptions(where, given, ["allow", "deny"]);
  const { allow, deny } = ownOf<ToolRules>(given);
  return {
    allow: allow === undefined ? undefined : readNameList(`${where}: allow`, allow),
    deny: deny === undefined ? undefined : readNameList(`${where}: deny`, deny),
  };
}

function readByName(key: "agents" | "principals", given: unknown): ReadonlyMap<string, Rules> {
  const read = new Map<string, Rules>();
  for (const [name, rules] of entriesOf(key, given)) {
    if (typeof name !== "string" || name === "") {
      throw new ToolstileError("ERR_INVALID_OPTION", `allowlist: ${key} has an empty name.`);
    }
    const where = `allowlist: ${key}: ${quoted(name)}`;
    const own = readToolRules(where, rules);
    if (own.allow === undefined && own.deny === undefined) {
      throw new ToolstileError("ERR_INVALID_OPTION", `${where} has neither allow nor deny.`);
    }
    read.set(name, own);
  }
  return read;
}

function entriesOf(key: string, given: unknown): Iterable<readonly [unknown, unknown]> {
  if (given === undefined) return [];
  if (given instanceof Map) return given;
  const prototype = typeof given === "object" && given && Object.getPrototypeOf(given);
  // In a literal, `__proto__: rules` sets the prototype: those rules would be lost without a word.
  if (prototype === Object.prototype || prototype === null) return Object.entries(given as object);
  throw new ToolstileError(
    "ERR_INVALID_OPTION",
    `allowlist: ${key} is an object of rules by name, or a Map.`,
  );
}

/** The members of its own, on no prototype. */
function ownOf<T extends object>(given: unknown): T {
  return Object.assign(Object.create(null), given);
}
