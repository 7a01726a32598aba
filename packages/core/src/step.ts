import type { Run } from "./run.js";

/** One step of a run's way. It returns a promise only when it has to wait. */
export type Step = (run: Run) => Promise<void> | undefined;

/**
 * Attempt a step. One that throws or rejects is a fault of core's own: it ends the
 * run as a guard's failure would, and the way goes on to its end, so that the
 * call is settled, told of and let go of.
 */
export function attempt(
  step: Step,
  run: Run,
  failed: (run: Run, error: unknown) => void,
): Promise<void> | undefined {
  try {
    const pending = step(run);
    return pending === undefined
      ? undefined
      : pending.then(undefined, (error) => failed(run, error));
  } catch (error) {
    failed(run, error);
    return undefined;
  }
}
