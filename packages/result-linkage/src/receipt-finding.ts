/** The faults that a receipt can have. */
export type ReceiptCode =
  | "receipt_expired"
  | "receipt_forged"
  | "receipt_from_the_future"
  | "receipt_key_out_of_period"
  | "receipt_malformed"
  | "receipt_missing"
  | "receipt_of_another_call"
  | "receipt_of_another_context"
  | "receipt_of_another_kind"
  | "receipt_of_other_arguments"
  | "receipt_of_other_content"
  | "receipt_repeated"
  | "receipt_unknown_key"
  | "receipt_unprovable";

/** The reason for which a receipt does not prove what it should. */
export interface ReceiptFinding {
  readonly code: ReceiptCode;
  /** Names ids, tools and keys, never arguments, content or context. */
  readonly reason: string;
}

/** A finding, and where in the conversation it is. */
export interface PlacedReceiptFinding extends ReceiptFinding {
  /** The place of the message; -1 if the conversation itself is not a list. */
  readonly index: number;
  /** The place of the call in its message, if the finding is about a call. */
  readonly callIndex?: number | undefined;
  readonly callId?: string | undefined;
  readonly toolName?: string | undefined;
}
