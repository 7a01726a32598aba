import type { FaultReport } from "../call/caller.js";
import { ToolstileError } from "../errors/error.js";
import { inOwnWords, warnOfFault } from "../errors/fault-warning.js";
import { quoted } from "../errors/names.js";
import { notify } from "../time/notify.js";
import { type Bounds, ignoreRejection } from "../time/wait.js";

/** A fault of a provider, an observer or a listener, for operators. */
export interface Fault {
  /** The name of the provider or the observer, or "listener". */
  readonly source: string;
  /** The question or the notice at which it failed. */
  readonly phase: string;
  /** The error that was thrown. It may hold arguments or secrets. */
  readonly error: unknown;
}

/** The listeners that are told of a fault: `onFault` first, then those of the runner and of its parents. */
export interface FaultListeners {
  readonly onFault: ((fault: Fault) => unknown) | undefined;
  readonly bounds: () => Bounds;
  /** True if a listener would hear of it. */
  readonly heard: () => boolean;
  readonly emit: (fault: Fault) => void;
}

/** Makes the error of a tool that was refused after construction: its text says why, if core knows. */
export function refusedFault(name: string, cause: unknown): Error {
  const why = ToolstileError.isInstance(cause) ? `: ${cause.message}` : "";
  return inOwnWords(new Error(`refused ${quoted(name)}${why}`, { cause }));
}

/** Makes the report of a runner's faults. It never throws, and does not wait for listeners. */
export function faultReport({ onFault, bounds, heard, emit }: FaultListeners): FaultReport {
  return (source, phase, error) => {
    if (onFault === undefined && !heard()) {
      warnOfFault(source, phase, error);
      return;
    }
    const fault = Object.freeze({ source, phase, error });
    if (onFault !== undefined) notify(() => onFault(fault), bounds(), onFaultFailed);
    emit(fault);
  };
}

function onFaultFailed(error: unknown): void {
  warnOfFault("onFault", "onFault", error);
}

/**
 * Tells operators of a fault, as a runner does: for adapters.
 *
 * A listener that throws, or returns a promise that rejects, has no effect.
 * Without one, the process is warned, once for each source and kind of fault.
 */
export function reportFault(onFault: ((fault: Fault) => unknown) | undefined, fault: Fault): void {
  if (onFault === undefined) {
    warnOfFault(fault.source, fault.phase, fault.error);
    return;
  }
  try {
    ignoreRejection(onFault(Object.freeze(fault)));
  } catch (error) {
    onFaultFailed(error);
  }
}
