import type { Attributes, HrTime } from "@opentelemetry/api";
import type { CallRecord, ToolOutcome } from "@toolstile/core";
import { canonicalJson } from "@toolstile/core/provider";
import { errorType } from "../log/error-type.js";

/** Characters of a name or an id that are recorded. The model chooses some of them. */
const longestName = 256;

/** A record with its outcome. */
export interface SettledRecord extends CallRecord {
  readonly outcome: ToolOutcome;
}

export function toolOf(record: CallRecord): string {
  return cut(record.toolName ?? record.requestedName);
}

/** The attributes of a call's span. The `gen_ai` names are those of OpenTelemetry's GenAI conventions. */
export function spanAttributes(record: SettledRecord): Attributes {
  const { outcome } = record;
  return {
    "gen_ai.operation.name": "execute_tool",
    "gen_ai.tool.name": toolOf(record),
    "gen_ai.tool.call.id": cut(record.callId),
    ...(record.agentName !== undefined && { "gen_ai.agent.name": cut(record.agentName) }),
    "toolstile.run_id": record.runId,
    "toolstile.status": outcome.status,
    ...stopAttributes(outcome),
    ...(outcome.status === "failed" && { "error.type": errorType(outcome.error) }),
  };
}

/** Codes that say who stopped a call, and why. Reasons are free text, and left out. */
export function stopAttributes(outcome: ToolOutcome): Attributes {
  // Its own members only: a polluted prototype must not speak for a call.
  const own = new Map<string, unknown>(Object.entries(outcome));
  const named: Attributes = {};
  for (const [name, member] of [
    ["toolstile.basis", "basis"],
    ["toolstile.decided_by", "decidedBy"],
    ["toolstile.code", "code"],
  ] as const) {
    const value = own.get(member);
    if (typeof value === "string") named[name] = cut(value);
  }
  return named;
}

/** The attributes of a call's metrics. Only a declared tool is named: the model can invent any number of other names. */
export function metricAttributes(record: SettledRecord): Attributes {
  return {
    "gen_ai.operation.name": "execute_tool",
    ...(record.toolName !== undefined && { "gen_ai.tool.name": cut(record.toolName) }),
    "toolstile.status": record.outcome.status,
  };
}

/** Arguments as used, and the result as the model reads it. */
export function contentAttributes(record: SettledRecord): Attributes {
  const { outcome } = record;
  const args = record.args ?? outcome.usedArgs ?? record.askedArgs;
  const { content } = outcome.result;
  return {
    ...(args !== undefined && { "gen_ai.tool.call.arguments": canonicalJson(args) }),
    "gen_ai.tool.call.result": typeof content === "string" ? content : JSON.stringify(content),
  };
}

/** Converts milliseconds since the epoch. A plain number can be taken for one since the process began. */
export function instant(milliseconds: number): HrTime | undefined {
  if (!Number.isFinite(milliseconds)) return undefined;
  const microseconds = Math.round(milliseconds * 1_000);
  const seconds = Math.floor(microseconds / 1_000_000);
  return [seconds, (microseconds - seconds * 1_000_000) * 1_000];
}

function cut(text: string): string {
  return text.length > longestName ? `${text.slice(0, longestName)}…` : text;
}
