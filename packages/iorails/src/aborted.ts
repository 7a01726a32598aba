import { ToolstileError } from "@toolstile/core";
import { CallerAbort, type CallerSignal, systemClock, valueWithin } from "@toolstile/core/provider";

/** The error of a request that its caller aborted, or that `close()` ended. */
export function aborted(signal: Pick<CallerSignal, "reason">): ToolstileError {
  if (signal.reason instanceof ClosedMeanwhile) return signal.reason;
  return new ToolstileError("ERR_ABORTED", "The caller aborted the request.", {
    cause: signal.reason,
  });
}

/** For a stream that was still under way when its rails had waited long enough to close. */
export class ClosedMeanwhile extends ToolstileError {
  constructor() {
    super(
      "ERR_ABORTED",
      "These rails were closed, and closeWithinMs was over before this stream was.",
    );
  }
}

/** The value of a promise, unless the caller aborts first. @throws ToolstileError `ERR_ABORTED`. */
export function unlessAborted<T>(
  promise: Promise<T>,
  signal: CallerSignal | undefined,
): Promise<T> {
  if (signal === undefined) return promise;
  const bounds = { clock: systemClock, timeoutMs: Number.POSITIVE_INFINITY, caller: signal };
  return valueWithin(bounds, promise, () => {
    throw aborted(signal);
  });
}

/**
 * A signal that aborts with another, or by itself.
 *
 * Release it when it is over: the other may live as long as the process, and
 * `AbortSignal.any` leaves something on it for ever.
 */
export class LinkedAbort extends CallerAbort {
  readonly #other: CallerSignal | undefined;
  readonly #follow = (): void => this.abort(this.#other?.reason);

  constructor(other: CallerSignal | undefined) {
    super();
    this.#other = other;
    if (other?.aborted === true) this.#follow();
    else other?.addEventListener("abort", this.#follow, { once: true });
  }

  release(): void {
    this.#other?.removeEventListener("abort", this.#follow);
  }
}
