import type { Fault } from "./events.js";
import { disown } from "./thenable.js";

/**
 * Tell operators of a fault, as a runner does: for adapters.
 *
 * Whoever listens changes nothing, by what it throws or by a promise that it
 * gives and that rejects.
 */
export function tellOfFault(onFault: ((fault: Fault) => unknown) | undefined, fault: Fault): void {
  try {
    disown(onFault?.(Object.freeze(fault)));
  } catch {
    // There is nobody else to tell of it.
  }
}
