import type { ToolOutcome } from "@toolstile/core";
import { quoted } from "@toolstile/core/provider";
import type { LinkageCode, LinkageFinding } from "@toolstile/result-linkage";
import type { ToolToggles } from "../config/toggles.js";
import { about, identity, type Violation, type ViolationType } from "../violation.js";
import { hasDecided } from "./call-violation.js";
import type { AnsweredCall } from "./exchange.js";
import { reasonOf, type ToolFinding } from "./per-tool-guard.js";

/** The flow of `rails.tool_result`. */
export const resultFlow = "tool result validation";

/** The guard that holds results to the schemas declared for them. */
export const resultSchemaGuard = "iorails-result-schema";

/** The violation for each finding of result linkage that is one: see section 4 of docs/iorails.md. */
const types: ReadonlyMap<LinkageCode, ViolationType> = new Map<LinkageCode, ViolationType>([
  ["duplicate_call_id", "duplicate_prior_call_id"],
  ["duplicate_result", "duplicate_result"],
  ["malformed_call_id", "malformed_call_id"],
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

/** The codes of messages that no rail could judge. */
const malformed: ReadonlySet<LinkageCode> = new Set([
  "malformed_calls",
  "malformed_content",
  "malformed_message",
]);

/** The codes of results that answer no call, or more than one: of which tool a result is must be known to rails of single tools. */
const unlinked: ReadonlySet<LinkageCode> = new Set([
  "duplicate_call_id",
  "malformed_call_id",
  "missing_call_id",
  "result_not_adjacent",
  "unknown_call_id",
]);

/** A finding as a violation; nothing for one that is none where these rails judge results. */
export function linkageViolation(
  { code, index, callId, toolName, reason }: LinkageFinding,
  { flow, perTool }: ToolToggles,
): Violation | undefined {
  const violationType = types.get(code);
  const counts = flow || malformed.has(code) || (perTool.length > 0 && unlinked.has(code));
  if (violationType === undefined || !counts) return undefined;
  const result = about("tool_result", index, callId, toolName);
  const violation = { ...result, violationType, reason, rail: resultFlow };
  if (flow || !malformed.has(code)) return violation;
  return { ...violation, kind: "input", rail: undefined };
}

/** The violation for a result that a rail of its tool has blocked. */
export function perToolViolation(finding: ToolFinding): ContentViolation {
  return {
    violationType: finding.verdict.basis === "error" ? "rail_failed" : "per_tool_rail",
    reason: reasonOf(finding),
    rail: finding.rail.flow,
  };
}

/** A violation of a result, without its place in the conversation. */
export type ContentViolation = Pick<Violation, "violationType" | "reason" | "rail">;

/** Returns the reason for which the model must not read the content of a result; undefined if it may. */
export function contentViolation(
  outcome: ToolOutcome,
  callId: string | undefined,
): ContentViolation | undefined {
  if (outcome.status === "executed") return undefined;
  const toolCallId = identity(callId);
  if (outcome.status === "failed") {
    const reason = `tool result${forId(toolCallId)} has malformed content`;
    return { violationType: "malformed_content", reason, rail: resultFlow };
  }
  if (outcome.status !== "withheld") {
    // Its call cannot be read, so no judge of the result can know what it answers.
    const reason = `tool result${forId(toolCallId)} could not be judged`;
    return { violationType: "rail_failed", reason, rail: resultFlow };
  }
  const { decidedBy, reason, basis } = outcome;
  if (!hasDecided(basis)) {
    const rail = decidedBy === resultSchemaGuard || decidedBy === "core" ? resultFlow : decidedBy;
    return { violationType: "rail_failed", reason, rail };
  }
  return decidedBy === resultSchemaGuard
    ? { violationType: "result_invalid", reason, rail: resultFlow }
    : { violationType: "per_tool_rail", reason, rail: decidedBy };
}

export function placedViolation(
  violation: ContentViolation,
  { index, callId, name }: Pick<AnsweredCall, "index" | "callId" | "name">,
): Violation {
  return { ...about("tool_result", index, callId, name), ...violation };
}

function forId(id: string | undefined): string {
  return id === undefined ? "" : ` for call_id ${quoted(id)}`;
}
