import { quoted } from "@toolstile/core";

/** What can be wrong between calls and results. */
export type LinkageCode =
  | "duplicate_call_id"
  | "duplicate_result"
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
  /** Of the message; -1 where the conversation itself is no list. */
  readonly index: number;
  /** Of the call in its message, where the finding is about a call. */
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
