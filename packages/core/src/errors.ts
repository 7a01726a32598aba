const marker = Symbol.for("toolstile.error");

/** What a `ToolstileError` can be about. `docs/errors.md` says of each what to do. */
export const errorCodes = [
  "ERR_ABORTED",
  "ERR_APPROVAL",
  "ERR_BUSY",
  "ERR_CLOSED",
  "ERR_CONFIG",
  "ERR_DENIED",
  "ERR_DUPLICATE_PROVIDER",
  "ERR_DUPLICATE_TOOL",
  "ERR_INVALID_OPTION",
  "ERR_INVALID_PROVIDER",
  "ERR_INVALID_TOOL",
  "ERR_MODEL",
  "ERR_NOT_JSON",
  "ERR_PERMIT",
  "ERR_PLUGIN",
  "ERR_TOOL_REFUSED",
  "ERR_UNCHECKED_TOOL",
  "ERR_UNKNOWN_MEMBER",
  "ERR_UNKNOWN_OPTION",
  "ERR_UNKNOWN_TOOL",
  "ERR_UNSUPPORTED",
] as const;
export type ErrorCode = (typeof errorCodes)[number];

/**
 * An error for programmers: wrong configuration or wrong use.
 *
 * A denied call is not an error but a value. No message holds an argument
 * value.
 */
export class ToolstileError extends Error {
  readonly code: ErrorCode;
  /** What became of the call or calls, where the error ended some. */
  readonly outcomes: readonly import("./protocol.js").ToolOutcome[];

  constructor(
    code: ErrorCode,
    message: string,
    details: {
      cause?: unknown;
      outcomes?: readonly import("./protocol.js").ToolOutcome[];
    } = {},
  ) {
    super(message, "cause" in details ? { cause: details.cause } : undefined);
    this.name = "ToolstileError";
    this.code = code;
    this.outcomes = details.outcomes ?? [];
    Object.defineProperty(this, marker, { value: true });
  }

  /** True of any copy of this package's errors, where `instanceof` fails across two installed copies. */
  static isInstance(value: unknown): value is ToolstileError {
    return value instanceof Error && Object.hasOwn(value, marker);
  }
}
