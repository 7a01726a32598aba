import { Result } from "../call/result.js";
import type { ToolOutcome } from "../protocol/outcome.js";
import type { ReceiptSigner } from "../protocol/receipt.js";
import { notify } from "../time/notify.js";
import { afterwards, isThenable } from "../time/wait.js";
import type { EndedRun } from "./run.js";

/**
 * Puts the signer's receipt on the result.
 *
 * A released call has no result yet. A receipt that a tool claims is replaced by
 * the signer's, and removed if the signer fails.
 */
export function sign(run: EndedRun): Promise<void> | undefined {
  const signer = run.runner.receiptSigner;
  const { outcome } = run;
  if (signer === undefined || run.signed === outcome || outcome.status === "released") {
    return undefined;
  }
  run.outcome = bearing(outcome, undefined);
  return afterwards(ask(run, signer, outcome), signed, run, undefined);
}

function ask(
  run: EndedRun,
  signer: ReceiptSigner,
  outcome: ToolOutcome,
): Promise<void> | undefined {
  const { scope, outcome: unsigned } = run;
  const take = (receipt: unknown): void => {
    if (typeof receipt !== "string" || receipt === "") throw new TypeError("no receipt was given");
    // A receipt that comes too late is dropped: the outcome is on record by then.
    if (run.outcome === unsigned && run.signed !== unsigned) {
      run.outcome = bearing(outcome, receipt);
    }
  };
  const act = (): unknown => {
    const receipt: unknown = signer.sign(run.settled, outcome.result);
    return isThenable(receipt) ? receipt.then(take) : take(receipt);
  };
  const failed = (error: unknown): void => scope.report(signer.name, "sign", error);
  return notify(act, scope.deadline(signer.timeoutMs), failed);
}

function signed(run: EndedRun): void {
  run.signed = run.outcome;
}

function bearing(outcome: ToolOutcome, receipt: string | undefined): ToolOutcome {
  return Object.freeze({ ...outcome, result: Result.bearing(outcome.result, receipt) });
}

/** True for an object with the members of a signer: a name and `sign`. */
export function isSigner(value: unknown): value is ReceiptSigner {
  const signer = Object(value) as Partial<ReceiptSigner>;
  return typeof signer.name === "string" && signer.name !== "" && typeof signer.sign === "function";
}
