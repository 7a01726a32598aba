import type { Deny, GuardrailProvider, ToolCall } from "@toolstile/core";
import {
  allow,
  deny,
  nonEmptyText,
  type OptionTable,
  oneOf,
  ownText,
  quoted,
  readOptions,
} from "@toolstile/core/provider";
import { difference, LookAlikes } from "./look-alike.js";
import type { ToolRule } from "./name-list.js";
import { type AllowlistRules, everyRule, type RulesByAsker, readRules } from "./rules.js";
import { type Ruling, rulesOfUnnamed } from "./unnamed.js";

/** The options of `allowlist()` beside its rules. */
export interface AllowlistOptions {
  /** Default "allowlist". */
  readonly name?: string | undefined;
  /** "error", the default: a name in the rules that no tool has is an error at load. "ignore": the tool may come later. */
  readonly unknownTools?: "error" | "ignore" | undefined;
}

export const allowlistOptions = {
  name: nonEmptyText().default("allowlist"),
  unknownTools: oneOf("error", "ignore").default("error"),
} satisfies OptionTable<AllowlistOptions>;

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
export function allowlist<Name extends string = string>(
  // Not inferred: where no names are given, any will do, and those in `allow` say nothing of those in `deny`.
  rules:
    | readonly ToolRule<NoInfer<Name>>[]
    | Iterable<ToolRule<NoInfer<Name>>>
    | AllowlistRules<NoInfer<Name>>,
  options: AllowlistOptions = {},
): GuardrailProvider {
  const read = readRules(rules);
  const { name, unknownTools } = readOptions("allowlist()", options, allowlistOptions);
  const { general, agents, principals } = read;
  const anyAgent = rulesOfUnnamed(agents.values());
  const anyPrincipal = rulesOfUnnamed(principals.values());
  let alike: LookAlikes | undefined;

  function permits(call: ToolCall, toolName: string): boolean {
    if (!permittedBy(general, toolName)) return false;
    let named = general.allow !== undefined;
    if (agents.size > 0) {
      const name = ownText(call, "agentName");
      const ruling = name === undefined ? anyAgent : agents.get(name);
      if (!permittedBy(ruling, toolName)) return false;
      named ||= ruling?.allow !== undefined;
    }
    if (principals.size > 0) {
      const name = ownText(call.context, "principal");
      const ruling = name === undefined ? anyPrincipal : principals.get(name);
      if (!permittedBy(ruling, toolName)) return false;
      named ||= ruling?.allow !== undefined;
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

/** True if no rule forbids a tool, and none that allows tools leaves it out. Without rules of its own, an asker is held to the general ones alone. */
function permittedBy(ruling: Ruling | undefined, toolName: string): boolean {
  return ruling?.deny?.covers(toolName) !== true && ruling?.allow?.covers(toolName) !== false;
}

function allowedNames(read: RulesByAsker): Set<string> {
  return new Set(everyRule(read).flatMap(({ allow }) => [...(allow?.names ?? [])]));
}

function everyName(read: RulesByAsker): readonly string[] {
  const denied = everyRule(read).flatMap(({ deny }) => [...(deny?.names ?? [])]);
  return Object.freeze([...new Set([...allowedNames(read), ...denied])]);
}
