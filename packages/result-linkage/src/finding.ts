import { quoted } from "@toolstile/core/provider";

/** The faults that there can be between calls and results. */
export type LinkageCode =
  | "duplicate_call_id"
  | "duplicate_result"
  | "malformed_call_id"
  | "malformed_calls"
  | "malformed_content"
  | "malformed_message"
  | "missing_call_id"
  | "missing_name"
  | "name_mismatch"
  | "result_not_adjacent"
  | "unanswered_call"
  | "unknown_call_id";

/** One thing wrong in a conversation. */
export interface LinkageFinding {
  readonly code: LinkageCode;
  /** The place of the message; -1 if the conversation itself is not a list. */
  readonly index: number;
  /** The place of the call in its message, if the finding is about a call. */
  readonly callIndex?: number | undefined;
  readonly callId?: string | undefined;
  readonly toolName?: string | undefined;
  /** Names ids, tools and roles, never content. */
  readonly reason: string;
}

/** The words of NeMo Guardrails' `tool result validation`, where it has some. */
export const reasons = {
  duplicateCallId: (id: string) =>
    `duplicate prior tool call id ${quoted(id)} makes tool-result linkage ambiguous`,
  duplicateResult: (id: string | undefined) =>
    `duplicate tool result${forId(id)}: each tool call must have exactly one result`,
  malformedContent: (id: string | undefined) => `tool result${forId(id)} has malformed content`,
  malformedCallId: "tool result has a call_id that is not text",
  malformedIdOfCall: (name: string | undefined) =>
    `tool call${named(name)} has a call_id that is not text`,
  missingCallId: "tool result is missing a call_id",
  missingIdOfCall: (name: string | undefined) => `tool call${named(name)} is missing a call_id`,
  missingName: (id: string | undefined, expected: string | undefined) =>
    `tool result${forId(id)} is missing a name${expected === undefined ? "" : `; expected ${quoted(expected)}`}`,
  nameMismatch: (name: string | undefined, expected: string, id: string | undefined) =>
    `tool result name${named(name)} does not match the called tool ${quoted(expected)}${forId(id)}`,
  notAdjacent: (id: string | undefined) =>
    `tool result${forId(id)} does not directly follow its tool call`,
  unanswered: (name: string | undefined, id: string | undefined) =>
    `tool call${named(name)}${withId(id)} has no result`,
  unknownCallId: (id: string | undefined) =>
    `tool result${forId(id)} does not correspond to a prior tool call`,
} as const;

export function named(name: string | undefined): string {
  return name === undefined ? "" : ` ${quoted(name)}`;
}

export function forId(id: string | undefined): string {
  return id === undefined ? "" : ` for call_id ${quoted(id)}`;
}

export function withId(id: string | undefined): string {
  return id === undefined ? "" : ` with call_id ${quoted(id)}`;
}
