import { approve, consume } from "./approve.js";
import { claimId, freeId } from "./call-id.js";
import { admit, decide, permit } from "./decide.js";
import { announce, record } from "./observers.js";
import { conclude } from "./outcome.js";
import { sign } from "./receipt.js";
import { type EndedRun, isEnded, isRead, type ReadRun, type Run } from "./run.js";
import { emit, judge, readAnswer, settle } from "./settle.js";
import { abort, refuse } from "./stop.js";

/** One step of a run. It returns a promise only when it has to wait. */
type Step<R extends Run> = (run: R) => Promise<void> | undefined;

/** The steps from asked to permitted. */
const opening: readonly Step<ReadRun>[] = [
  claimId,
  decide,
  approve,
  consume,
  admit,
  announce,
  permit,
];
const openingUnapproved = opening.filter((step) => step !== approve && step !== consume);

/** The steps from answered, or stopped, to over. `sign` comes twice: a record that could not be written changes the result. */
const closing: readonly Step<EndedRun>[] = [sign, settle, freeId, record, sign, emit];
const closingUnsigned = closing.filter((step) => step !== sign);

/**
 * Takes a run from asked to permitted.
 *
 * A run that is stopped here is stopped before its tool has run. Only a run that
 * passes every step has a permit.
 */
export function open(run: Run): Promise<void> | undefined {
  return isRead(run) ? openFrom(0, run) : undefined;
}

function openFrom(first: number, run: ReadRun): Promise<void> | undefined {
  const steps = run.runner.approver === undefined ? openingUnapproved : opening;
  for (let next = first; next < steps.length; next++) {
    // An abort is looked for before every step, so that no answer given in the meantime counts.
    if (run.aborted) abort(run, false);
    if (run.stop !== undefined) return undefined;
    const pending = attempt(steps[next] as Step<ReadRun>, run, undecided);
    if (pending !== undefined) return pending.then(() => openFrom(next + 1, run));
  }
  return undefined;
}

function undecided(run: Run, error: unknown): void {
  run.scope.report("core", "open", error);
  refuse(run, "denied", "error", "internal_error", "the call could not be decided");
}

/** Takes a run from answered, or stopped, to over. Every run is closed exactly once. */
export function close(run: Run): Promise<void> | undefined {
  readAnswer(run);
  const judging = attempt(judge, run, unjudged);
  return judging === undefined ? end(run) : judging.then(() => end(run));
}

function end(run: Run): Promise<void> | undefined {
  attempt(conclude, run, unjudged);
  return isEnded(run) ? endFrom(0, run) : undefined;
}

function endFrom(first: number, run: EndedRun): Promise<void> | undefined {
  const steps = run.runner.receiptSigner === undefined ? closingUnsigned : closing;
  for (let next = first; next < steps.length; next++) {
    const pending = attempt(steps[next] as Step<EndedRun>, run, unjudged);
    if (pending !== undefined) return pending.then(() => endFrom(next + 1, run));
  }
  return undefined;
}

/** Keeps a result that could not be judged from the model. An outcome that has been told does not change. */
function unjudged(run: Run, error: unknown): void {
  run.scope.report("core", "close", error);
  if (run.outcome !== undefined) return;
  if (run.stop === undefined) {
    refuse(run, "withheld", "error", "internal_error", "the result could not be judged");
  }
  conclude(run);
}

/**
 * Attempts a step. An error is a fault of core's own: it ends the run as a
 * guard's failure would. The other steps follow, so that the call is settled and
 * recorded, and its id is free again.
 */
function attempt<R extends Run>(
  step: Step<R>,
  run: R,
  failed: (run: R, error: unknown) => void,
): Promise<void> | undefined {
  try {
    return step(run)?.then(undefined, (error: unknown) => failed(run, error));
  } catch (error) {
    failed(run, error);
    return undefined;
  }
}
