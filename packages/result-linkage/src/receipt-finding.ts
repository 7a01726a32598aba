/** What can be wrong with a receipt. */
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

/** Why a receipt does not prove what it should. */
export interface ReceiptFinding {
  readonly code: ReceiptCode;
  /** Names ids, tools and keys, never arguments, content or context. */
  readonly reason: string;
}

/** A finding, and where in the conversation it is. */
export interface PlacedReceiptFinding extends ReceiptFinding {
  /** Of the message; -1 where the conversation itself is no list. */
  readonly index: number;
  /** Of the call in its message, where the finding is about a call. */
  readonly callIndex?: number | undefined;
  readonly callId?: string | undefined;
  readonly toolName?: string | undefined;
}
