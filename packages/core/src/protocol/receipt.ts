import type { Awaitable, SettledCall, ToolResult } from "./guardrail.js";

/** Signs each result. A reader with the key can then check that this host gave it as the answer to its call. */
export interface ReceiptSigner {
  readonly name: string;
  /** Asked once the result is final. A throw leaves the result without a receipt, for its verifier to refuse. */
  readonly sign: (call: SettledCall, result: ToolResult) => Awaitable<string>;
  /** Milliseconds that one answer may take. Default 5,000. */
  readonly timeoutMs?: number | undefined;
}
