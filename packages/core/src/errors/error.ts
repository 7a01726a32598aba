const marker = Symbol.for("toolstile.error");

/** The codes of a `ToolstileError`. `docs/errors.md` says what to do about each. */
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
  /** The outcomes of the calls that the error ended. */
  readonly outcomes: readonly import("../protocol/outcome.js").ToolOutcome[];

  constructor(
    code: ErrorCode,
    message: string,
    details: {
      cause?: unknown;
      outcomes?: readonly import("../protocol/outcome.js").ToolOutcome[];
    } = {},
  ) {
    super(message, "cause" in details ? { cause: details.cause } : undefined);
    this.name = "ToolstileError";
    this.code = code;
    this.outcomes = details.outcomes ?? [];
    Object.defineProperty(this, marker, { value: true });
  }

  /** True for an error of any installed copy of this package. `instanceof` fails across two copies. */
  static isInstance(value: unknown): value is ToolstileError {
    try {
      return value instanceof Error && Object.hasOwn(value, marker);
    } catch {
      // A revoked proxy cannot be asked.
      return false;
    }
  }
}
