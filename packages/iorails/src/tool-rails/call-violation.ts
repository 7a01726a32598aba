import type { ToolOutcome } from "@toolstile/core";
import type { Basis } from "@toolstile/core/host";
import { ownValue, quoted } from "@toolstile/core/provider";
import type { AskedCall } from "../chat/message.js";
import { about, type Violation, type ViolationType } from "../violation.js";

/** The flow of `rails.tool_call`. */
export const callFlow = "tool call validation";

/** The providers that the flow consists of, in the order in which they are asked. */
export const ownGuards = {
  /** Holds calls to the policy of `hooks_server`. */
  policy: "iorails-tool-policy",
  declared: "iorails-declared-tools",
  noArguments: "iorails-no-arguments",
  schema: "iorails-schema",
  /** Asks the rails of the called tool. */
  perTool: "iorails-per-tool",
} as const;

const ownNames = Object.values(ownGuards);

/** The violation for a call that core or a guard has refused. */
export function callViolation(
  outcome: ToolOutcome,
  index: number,
  asked: AskedCall,
  name: string,
): Violation {
  const call = about("tool_call", index, asked.id, name);
  if (outcome.status === "invalid") {
    const { reason } = outcome;
    return { ...call, violationType: "malformed_arguments", reason, rail: callFlow };
  }
  if (outcome.status !== "denied") {
    const reason = `tool call ${quoted(name)} could not be decided on`;
    return { ...call, violationType: "rail_failed", reason, rail: callFlow };
  }
  const { basis, decidedBy, code, reason } = outcome;
  if (basis === "audit") {
    // No guard denied it: a required observer could not record it.
    return { ...call, violationType: "rail_failed", reason, rail: decidedBy };
  }
  const isOwn = decidedBy === ownGuards.schema || decidedBy === "core";
  if (isOwn && (code === "tool_refused" || code === "schema_invalid")) {
    return {
      ...call,
      violationType: "invalid_tool_schema",
      reason: `declared schema for tool ${quoted(name)} is not valid JSON Schema, or of a cost that has no bound`,
      rail: callFlow,
    };
  }
  const violationType = hasDecided(basis) ? typeOf(decidedBy, code) : "rail_failed";
  const facts = outcome.decisions.at(-1)?.metadata;
  return {
    ...call,
    violationType,
    reason,
    argumentPath: violationType === "arguments_invalid" ? textIn(facts, "pointer") : undefined,
    schemaKeyword: violationType === "arguments_invalid" ? textIn(facts, "keyword") : undefined,
    rail: railOf(decidedBy, facts),
  };
}

function railOf(decidedBy: string, facts: unknown): string {
  if (decidedBy === ownGuards.policy) return "hooks_server";
  if (decidedBy === ownGuards.perTool) return textIn(facts, "rail") ?? callFlow;
  const isMounted = decidedBy !== "core" && !(ownNames as readonly string[]).includes(decidedBy);
  return isMounted ? decidedBy : callFlow;
}

/** True if a guard has said what stands in the way; one that threw, or was late, has not. */
export function hasDecided(basis: Basis): boolean {
  return !["error", "timeout", "malformed", "unstable"].includes(basis);
}

/** The violation for a custom tool's call of which a guard has made what is no text. */
export function notText(index: number, asked: AskedCall, name: string): Violation {
  const reason = `tool call ${quoted(name)} takes text, and a guard has made something else of it`;
  const call = about("tool_call", index, asked.id, name);
  return { ...call, violationType: "rail_failed", reason, rail: callFlow };
}

export function invalidToolset(reason: string): Violation {
  return { kind: "tool_call", violationType: "invalid_toolset", reason, rail: callFlow };
}

function typeOf(decidedBy: string, code: string | undefined): ViolationType {
  switch (decidedBy) {
    case ownGuards.policy:
    case ownGuards.declared:
      return "tool_not_allowed";
    case ownGuards.noArguments:
      return "unexpected_arguments";
    case ownGuards.schema:
      return "arguments_invalid";
    case ownGuards.perTool:
      return code === "rail_blocked" ? "per_tool_rail" : "rail_failed";
    case "core":
      return code === "duplicate_call_id" ? "duplicate_call_id" : "rail_failed";
    default:
      return "per_tool_rail";
  }
}

function textIn(facts: unknown, key: string): string | undefined {
  const value = ownValue(facts, key);
  return typeof value === "string" ? value : undefined;
}
