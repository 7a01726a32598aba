import type { ReceiptSigner, ToolOutcome } from "./protocol.js";
import { Result } from "./result.js";
import type { Run } from "./run.js";
import { tell } from "./tell.js";
import { afterwards, isThenable } from "./thenable.js";

/**
 * Between 8 and 9: prove whose result this is.
 *
 * Of a released call there is none yet. What a tool claims to be a receipt
 * gives way to the signer's, and to none where the signer fails.
 */
export function sign(run: Run): Promise<void> | undefined {
  const signer = run.settings.receiptSigner;
  const outcome = run.outcome as ToolOutcome;
  if (signer === undefined || run.signed === outcome || outcome.status === "released") return;
  run.outcome = bearing(outcome, undefined);
  return afterwards(ask(run, signer, outcome), over, run, undefined);
}

function ask(run: Run, signer: ReceiptSigner, outcome: ToolOutcome): Promise<void> | undefined {
  const { clock, timeoutMs, report } = run.scope;
  const unsigned = run.outcome;
  const take = (receipt: unknown): void => {
    if (typeof receipt !== "string" || receipt === "") throw new TypeError("no receipt was given");
    // One that comes too late is dropped: the outcome is on record by then.
    if (run.outcome === unsigned && run.signed !== unsigned)
      run.outcome = bearing(outcome, receipt);
  };
  const act = (): unknown => {
    const receipt: unknown = signer.sign(run.settled, outcome.result);
    return isThenable(receipt) ? receipt.then(take) : take(receipt);
  };
  const failed = (error: unknown): void => report(signer.name, "sign", error);
  return tell(act, clock, signer.timeoutMs ?? timeoutMs, failed);
}

function over(run: Run): void {
  run.signed = run.outcome;
}

function bearing(outcome: ToolOutcome, receipt: string | undefined): ToolOutcome {
  return Object.freeze({ ...outcome, result: Result.bearing(outcome.result, receipt) });
}

/** What the engine takes for a signer: an object with a name and a `sign`. */
export function isSigner(value: unknown): value is ReceiptSigner {
  const signer = Object(value) as Partial<ReceiptSigner>;
  return typeof signer.name === "string" && signer.name !== "" && typeof signer.sign === "function";
}
