import type { Denial } from "../guard/read-decision.js";
import type { ToolContent } from "../protocol/guardrail.js";
import type { Basis } from "../protocol/outcome.js";
import type { Run, Stop } from "./run.js";

/** Ends a run. This is the only place that does, and each stop replaces the one before. */
export function stop(run: Run, how: Stop): void {
  run.stop = how;
}

/** Ends a run because its caller aborted, as `Scope.aborted` says, unless it has been stopped already. */
export function abort(run: Run, executed: false | "unknown"): void {
  if (run.stop === undefined) stop(run, { status: "aborted", executed });
}

export function invalid(run: Run, code: string, reason: string): void {
  stop(run, { status: "invalid", code, reason });
}

/** Denies a call, or withholds its result, for a reason of core's own or in an approver's name. */
export function refuse(
  run: Run,
  status: "denied" | "withheld",
  basis: Basis,
  code: string | undefined,
  reason: string,
  decidedBy = "core",
  replacement: ToolContent | undefined = undefined,
  approvalId: string | undefined = undefined,
): void {
  stop(run, { status, basis, decidedBy, code, reason, replacement, approvalId });
}

/** Denies a call, or withholds its result, as a guard has decided. */
export function refuseAs(run: Run, status: "denied" | "withheld", denial: Denial): void {
  const { basis, code, reason, decidedBy, replacement } = denial;
  refuse(run, status, basis, code, reason, decidedBy, replacement);
}
