import {
  allow,
  type Deny,
  deny,
  type GuardrailProvider,
  quoted,
  type ToolCall,
  ToolstileError,
} from "@toolstile/core";
import { difference, LookAlikes } from "./look-alike.js";
import type { ToolRule } from "./name-list.js";
import { readMembers } from "./plain-object.js";
import {
  type AllowlistRules,
  everyRule,
  type Rules,
  type RulesByAsker,
  readRules,
} from "./rules.js";

/** How an allowlist is named and what it says of tools that are not there. */
export interface AllowlistOptions {
  /** Default "allowlist". */
  readonly name?: string | undefined;
  /** What becomes of a name in the rules that no tool has: an error at load, or nothing, for tools that come later. Default "error". */
  readonly unknownTools?: "error" | "ignore" | undefined;
}

/**
 * Deny every tool that is not named.
 *
 * Names are compared byte for byte; a pattern is one only where it says so:
 * `{ pattern: "github_*" }`. There a wildcard is printable ASCII in `allow`, and
 * any character in `deny`: what is unusual is denied. Rules only ever narrow. A call runs if no `deny`
 * that applies covers its tool, every `allow` that applies does, and at least
 * one `allow` applies. The general rules apply to every call, those of an
 * agent or a principal to its own calls beside them. An agent without rules is
 * held to the general ones alone: leave the general `allow` out to deny it. A
 * call that does not say which agent asks is held to the rules of all of them,
 * and likewise with principals.
 *
 * The name judged is the tool's own, after aliases.
 *
 * @throws ToolstileError `ERR_INVALID_OPTION` or `ERR_UNKNOWN_OPTION` for rules that are not well-formed.
 */
export function allowlist(
  rules: Iterable<ToolRule> | AllowlistRules,
  options: AllowlistOptions = {},
): GuardrailProvider {
  const read = readRules(rules);
  const { name, unknownTools } = readOptions(options);
  const { general, agents, principals } = read;
  const allAgents = [...agents.values()];
  const allPrincipals = [...principals.values()];
  let alike: LookAlikes | undefined;

  function permits(call: ToolCall, toolName: string): boolean {
    if (general.deny?.covers(toolName) === true) return false;
    let named = general.allow !== undefined;
    if (general.allow?.covers(toolName) === false) return false;
    if (agents.size > 0) {
      const ruling = rulesOf(agents, allAgents, ownText(call, "agentName"));
      if (!permittedBy(ruling, toolName)) return false;
      named ||= ruling.some(hasAllow);
    }
    if (principals.size > 0) {
      const ruling = rulesOf(principals, allPrincipals, ownText(call.context, "principal"));
      if (!permittedBy(ruling, toolName)) return false;
      named ||= ruling.some(hasAllow);
    }
    return named;
  }

  function refuse(call: ToolCall): Deny {
    alike ??= new LookAlikes(allowedNames(read));
    const meant = alike.of(call.toolName).find((other) => permits(call, other));
    const hint =
      meant === undefined
        ? ""
        : `: it differs from ${quoted(meant)} only by ${difference(call.toolName, meant)}`;
    return deny(`tool call ${quoted(call.toolName)} is not an allowed tool${hint}`, {
      code: "not_allowed",
    });
  }

  return {
    name,
    tools: unknownTools === "ignore" ? undefined : everyName(read),
    evaluate: (call) => (permits(call, call.toolName) ? allow() : refuse(call)),
  };
}

function readOptions(given: AllowlistOptions): { name: string; unknownTools: "error" | "ignore" } {
  const options = readMembers("allowlist", given, ["name", "unknownTools"]);
  const { name = "allowlist", unknownTools = "error" } = options;
  if (typeof name !== "string" || name === "") {
    throw new ToolstileError("ERR_INVALID_OPTION", "allowlist: name is a text that is not empty.");
  }
  if (unknownTools !== "error" && unknownTools !== "ignore") {
    throw new ToolstileError(
      "ERR_INVALID_OPTION",
      'allowlist: unknownTools is "error" or "ignore".',
    );
  }
  return { name, unknownTools };
}

const none: readonly Rules[] = [];

/** The rules for one who asks. Nobody in particular may be anybody, so all of them apply. */
function rulesOf(
  byName: ReadonlyMap<string, Rules>,
  all: readonly Rules[],
  name: string | undefined,
): readonly Rules[] {
  if (name === undefined) return all;
  const own = byName.get(name);
  return own === undefined ? none : [own];
}

function permittedBy(ruling: readonly Rules[], toolName: string): boolean {
  for (const { allow, deny } of ruling) {
    if (deny?.covers(toolName) === true || allow?.covers(toolName) === false) return false;
  }
  return true;
}

function hasAllow({ allow }: Rules): boolean {
  return allow !== undefined;
}

/** A text of its own that is not empty: one planted on a prototype says nothing about who asks. */
function ownText<Key extends string>(
  holder: { readonly [K in Key]?: string | undefined },
  key: Key,
): string | undefined {
  const text = Object.hasOwn(holder, key) ? holder[key] : undefined;
  return typeof text === "string" && text !== "" ? text : undefined;
}

function allowedNames(read: RulesByAsker): Set<string> {
  return new Set(everyRule(read).flatMap(({ allow }) => [...(allow?.names ?? [])]));
}

function everyName(read: RulesByAsker): readonly string[] {
  const denied = everyRule(read).flatMap(({ deny }) => [...(deny?.names ?? [])]);
  return Object.freeze([...new Set([...allowedNames(read), ...denied])]);
}
