import { quoted, type ToolOutcome } from "@toolstile/core";
import type { LinkageCode, LinkageFinding } from "@toolstile/result-linkage";
import { identity, type Violation, type ViolationType } from "../violation.js";

/** The flow of `rails.tool_input`. */
export const resultFlow = "tool result validation";

/** The guard that holds results to the schemas declared for them. */
export const resultSchemaGuard = "iorails-result-schema";

/** What each finding of result linkage is called here, and which are none: see section 4 of docs/iorails.md. */
const types: ReadonlyMap<LinkageCode, ViolationType> = new Map<LinkageCode, ViolationType>([
  ["duplicate_call_id", "duplicate_prior_call_id"],
  ["duplicate_result", "duplicate_result"],
  ["malformed_calls", "malformed_calls"],
  ["malformed_content", "malformed_content"],
  ["malformed_message", "malformed_message"],
  ["missing_call_id", "missing_call_id"],
  ["missing_name", "missing_name"],
  ["name_mismatch", "name_mismatch"],
  ["result_not_adjacent", "unknown_call_id"],
  ["unanswered_call", "missing_result"],
  ["unknown_call_id", "unknown_call_id"],
]);

/** A finding as a violation, or nothing for one that is none of this flow's. */
export function linkageViolation(finding: LinkageFinding): Violation | undefined {
  const violationType = types.get(finding.code);
  if (violationType === undefined) return undefined;
  const { index, callId, toolName, reason } = finding;
  const about = {
    kind: "tool_result",
    index,
    toolCallId: identity(callId),
    toolName: identity(toolName),
  } as const;
  return { ...about, violationType, reason, rail: resultFlow };
}

/** Why the content of a result must not be read by the model, or nothing if it may. */
export function contentViolation(
  outcome: ToolOutcome,
  index: number,
  callId: string | undefined,
  name: string | undefined,
): Violation | undefined {
  if (outcome.status === "executed") return undefined;
  const toolCallId = identity(callId);
  const about = { kind: "tool_result", index, toolCallId, toolName: identity(name) } as const;
  if (outcome.status === "failed") {
    const reason = `tool result${forId(toolCallId)} has malformed content`;
    return { ...about, violationType: "malformed_content", reason, rail: resultFlow };
  }
  if (outcome.status !== "withheld") {
    // Its call cannot be read, so no judge of the result can know what it answers.
    const reason = `tool result${forId(toolCallId)} could not be judged`;
    return { ...about, violationType: "rail_failed", reason, rail: resultFlow };
  }
  const { decidedBy, reason } = outcome;
  return decidedBy === resultSchemaGuard
    ? { ...about, violationType: "result_invalid", reason, rail: resultFlow }
    : { ...about, violationType: "per_tool_rail", reason, rail: decidedBy };
}

function forId(id: string | undefined): string {
  return id === undefined ? "" : ` for call_id ${quoted(id)}`;
}
