import { quoted } from "../errors/names.js";
import type { EndedRun, ReadRun } from "./run.js";
import { refuse } from "./stop.js";

/** Claims the call's id: while the call is open, no other call of its session may have it. `freeId` gives it back. */
export function claimId(run: ReadRun): undefined {
  const { openCalls, closed } = run.runner;
  const { idSpace, mintedId, repeatedId, head } = run.intake;
  if (closed()) {
    refuse(run, "denied", "error", "runner_closed", "the tool runner is closed");
  } else if (openCalls.full) {
    refuse(run, "denied", "policy", "too_many_open", "too many tool calls are open");
  } else if (repeatedId) {
    const reason = `call id ${quoted(head.callId)} is used twice in one turn`;
    refuse(run, "denied", "duplicate", "duplicate_call_id", reason);
  } else if (mintedId || openCalls.add(idSpace, head.callId)) {
    if (mintedId) openCalls.addMinted();
    run.isOpen = true;
  } else {
    const id = quoted(head.callId);
    const reason = `call id ${id} is that of another call, which is still open in this session`;
    refuse(run, "denied", "duplicate", "duplicate_call_id", reason);
  }
}

/** Frees the call's id and stops listening to the caller's signal. From here on another call may have the id. */
export function freeId(run: EndedRun): undefined {
  const { idSpace, mintedId, head } = run.intake;
  if (run.isOpen && mintedId) run.runner.openCalls.removeMinted();
  else if (run.isOpen) run.runner.openCalls.remove(idSpace, head.callId);
  run.scope.release();
}
