import { quoted, type ToolOutcome } from "@toolstile/core";
import type { AskedCall } from "../chat/message.js";
import { own } from "../own-property.js";
import { identity, type Violation, type ViolationType } from "../violation.js";

/** The flow of `rails.tool_output`. */
export const callFlow = "tool call validation";

/** The providers that the flow consists of, in the order in which they are asked. */
export const ownGuards = {
  declared: "iorails-declared-tools",
  noArguments: "iorails-no-arguments",
  schema: "iorails-schema",
} as const;

/** What core, and the providers of the flow, have said. */
export function callViolation(
  outcome: ToolOutcome,
  index: number,
  asked: AskedCall,
  name: string,
): Violation {
  const about = {
    kind: "tool_call",
    index,
    toolCallId: identity(asked.id),
    toolName: identity(name),
  } as const;
  if (outcome.status === "invalid") {
    return {
      ...about,
      violationType: "malformed_arguments",
      reason: outcome.reason,
      rail: callFlow,
    };
  }
  if (outcome.status !== "denied") {
    const reason = `tool call ${quoted(name)} could not be decided on`;
    return { ...about, violationType: "rail_failed", reason, rail: callFlow };
  }
  const { basis, decidedBy, code, reason } = outcome;
  if (basis === "audit") {
    // Nobody found anything against it: an observer that has to record it could not.
    return { ...about, violationType: "rail_failed", reason, rail: decidedBy };
  }
  const isOwn = decidedBy === ownGuards.schema || decidedBy === "core";
  if (isOwn && (code === "tool_refused" || code === "schema_invalid")) {
    return {
      ...about,
      violationType: "invalid_tool_schema",
      reason: `declared schema for tool ${quoted(name)} is not valid JSON Schema, or of a cost that has no bound`,
      rail: callFlow,
    };
  }
  const violationType = typeOf(decidedBy, code);
  const facts = outcome.decisions.at(-1)?.metadata;
  return {
    ...about,
    violationType,
    reason,
    argumentPath: violationType === "arguments_invalid" ? textIn(facts, "pointer") : undefined,
    schemaKeyword: violationType === "arguments_invalid" ? textIn(facts, "keyword") : undefined,
    rail: violationType === "per_tool_rail" ? decidedBy : callFlow,
  };
}

export function invalidToolset(reason: string): Violation {
  return { kind: "tool_call", violationType: "invalid_toolset", reason, rail: callFlow };
}

function typeOf(decidedBy: string, code: string | undefined): ViolationType {
  switch (decidedBy) {
    case ownGuards.declared:
      return "tool_not_allowed";
    case ownGuards.noArguments:
      return "unexpected_arguments";
    case ownGuards.schema:
      return "arguments_invalid";
    case "core":
      return code === "duplicate_call_id" ? "duplicate_call_id" : "rail_failed";
    default:
      return "per_tool_rail";
  }
}

function textIn(facts: unknown, key: string): string | undefined {
  const value = own(facts, key);
  return typeof value === "string" ? value : undefined;
}
