import { ToolstileError } from "@toolstile/core";

/** The error for an option, or a request, that is wrong. */
export function invalid(message: string, cause?: unknown): ToolstileError {
  return new ToolstileError("ERR_INVALID_OPTION", message, cause === undefined ? {} : { cause });
}

/** The error for a configuration that is wrong. */
export function wrongConfig(message: string, cause?: unknown): ToolstileError {
  return new ToolstileError("ERR_CONFIG", message, cause === undefined ? {} : { cause });
}

/** The ways in which an exchange with a model can fail. */
export type ModelFault =
  /** The provider answered with a status other than success. */
  | "status"
  /** No connection, or it broke. */
  | "network"
  | "timeout"
  /** The provider's answer cannot be read, or calls in it are ambiguous. */
  | "malformed"
  /** The provider reported an error inside a stream. */
  | "provider"
  | "aborted";

const marker = Symbol.for("toolstile.model-error");

/**
 * A model, or a service that guards ask, did not answer as it should.
 *
 * The message names the model and the kind of fault, never what the provider
 * wrote: its text may hold keys, prompts or instructions.
 */
export class ModelError extends ToolstileError {
  readonly fault: ModelFault;
  /** As configured: the `type` of the model, or the name of the service. */
  readonly model: string;
  /** The HTTP status, where there was one. */
  readonly status: number | undefined;
  /** The provider's own id of the request, where it sent one that is safe to print; for its support. */
  readonly providerRequestId: string | undefined;
  /** The wait that the provider asks for before the next request, if it does. */
  readonly retryAfterMs: number | undefined;

  constructor(
    fault: ModelFault,
    model: string,
    message: string,
    details: {
      readonly status?: number | undefined;
      readonly providerRequestId?: string | undefined;
      readonly retryAfterMs?: number | undefined;
      readonly cause?: unknown;
    } = {},
  ) {
    super("ERR_MODEL", message, "cause" in details ? { cause: details.cause } : {});
    this.name = "ModelError";
    this.fault = fault;
    this.model = model;
    this.status = details.status;
    this.providerRequestId = details.providerRequestId;
    this.retryAfterMs = details.retryAfterMs;
    Object.defineProperty(this, marker, { value: true });
  }

  /** True of any copy of this package's model errors. */
  static override isInstance(value: unknown): value is ModelError {
    return value instanceof Error && Object.hasOwn(value, marker);
  }
}
