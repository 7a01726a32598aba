import { allow, deny, type GuardrailProvider, type JsonObject } from "@toolstile/core";
import { quoted } from "@toolstile/core/provider";
import type { HooksServerSection, PolicyEntry } from "../config/hooks-server.js";
import { ownGuards } from "./call-violation.js";

/** The tools that a policy names, by their exact names. */
type Entries = ReadonlyMap<string, PolicyEntry>;

const entriesOf = (list: readonly PolicyEntry[]): Entries =>
  new Map(list.map((entry) => [entry.name, entry]));

/**
 * The guard that holds calls to the policy of `hooks_server`: what is blocked
 * first, then what is allowed. No reason says a value, or a name of an argument
 * that the configuration does not name.
 */
export function toolPolicy(policy: HooksServerSection): GuardrailProvider {
  const allowed = entriesOf(policy.allowedTools);
  const blocked = entriesOf(policy.blockedTools);
  return {
    name: ownGuards.policy,
    evaluate: ({ toolName, args }) => {
      const what =
        blockedBecause(blocked.get(toolName), args) ??
        notAllowedBecause(allowed.get(toolName), args, policy.allowUnlistedTools);
      if (what === undefined) return allow();
      return deny(`tool call ${quoted(toolName)} ${what}`, { code: "tool_not_allowed" });
    },
  };
}

/**
 * An entry with arguments blocks a call that passes any of them with a listed value, or with one that cannot be compared:
 * a value of another kind than those listed, or with the same text, which the tool may take for one of them.
 */
function blockedBecause(entry: PolicyEntry | undefined, args: JsonObject): string | undefined {
  if (entry === undefined) return undefined;
  if (entry.arguments === undefined) return "is a blocked tool";
  for (const [name, values] of Object.entries(entry.arguments)) {
    if (!Object.hasOwn(args, name)) continue;
    const value: unknown = args[name];
    if (values === null) return `passes the blocked argument ${quoted(name)}`;
    const isComparable = values.some((each) => typeof each === typeof value);
    if (!isComparable || values.some((each) => String(each) === String(value))) {
      return `passes a blocked value of the argument ${quoted(name)}`;
    }
  }
  return undefined;
}

/** An entry with arguments allows these and no others; one that has values must be there, with one of them. */
function notAllowedBecause(
  entry: PolicyEntry | undefined,
  args: JsonObject,
  allowsUnlisted: boolean,
): string | undefined {
  if (entry === undefined) return allowsUnlisted ? undefined : "is not an allowed tool";
  const named = entry.arguments;
  if (named === undefined) return undefined;
  if (Object.keys(args).some((name) => !Object.hasOwn(named, name))) {
    return "passes an argument that is not allowed";
  }
  for (const [name, values] of Object.entries(named)) {
    if (values === null) continue;
    if (!Object.hasOwn(args, name)) return `does not pass the argument ${quoted(name)}`;
    if (!(values as readonly unknown[]).includes(args[name])) {
      return `passes a value of the argument ${quoted(name)} that is not allowed`;
    }
  }
  return undefined;
}

/**
 * The declaration that stands in for the one that a hook does not bring, as a request would have it.
 *
 * Rails of a tool need one: it takes the arguments that the policy lets it have.
 */
export function declarationFor(name: string, policy: HooksServerSection | undefined): object {
  const entry = policy?.allowedTools.find((each) => each.name === name);
  const named = entry?.arguments;
  const properties = Object.fromEntries(Object.keys(named ?? {}).map((each) => [each, {}]));
  const parameters = { type: "object", properties, additionalProperties: named === undefined };
  return { type: "function", function: { name, parameters } };
}
