/** One thing that is wrong in a conversation. */
export interface Finding {
  /** Of the message; -1 where it is about what the conversation declares. */
  readonly messageIndex: number;
  /** Of the call in its message, where it is about one of several. */
  readonly callIndex?: number | undefined;
  readonly code: string;
  /** Names tools, ids and schema keywords, never an argument value. */
  readonly reason: string;
}

/** What a conversation held. */
export interface ConversationReport {
  readonly calls: number;
  readonly results: number;
  /** In the order of the messages. */
  readonly findings: readonly Finding[];
}
