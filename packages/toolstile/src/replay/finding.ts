import type { RuledCall } from "./policy-tally.js";

/** One thing that is wrong in a conversation. */
export interface Finding {
  /** The index of the message; -1 for a finding about the declared tools. */
  readonly messageIndex: number;
  /** The index of the call in its message, for a finding about one of several. */
  readonly callIndex?: number | undefined;
  readonly code: string;
  /** Names tools, ids and schema keywords, never an argument value. */
  readonly reason: string;
}

/** The counts and findings of a conversation. */
export interface ConversationReport {
  readonly calls: number;
  readonly results: number;
  /** Messages with something that is not read: calls in it were put before no guard. */
  readonly unread: number;
  /** In the order of the messages. */
  readonly findings: readonly Finding[];
  /** The calls that a policy has decided on, in the order in which they ended. */
  readonly ruled: readonly RuledCall[];
}
