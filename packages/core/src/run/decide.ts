import { Permit } from "../call/permit.js";
import { quoted } from "../errors/names.js";
import { Deliberation } from "../guard/deliberation.js";
import { asksForApproval } from "../guard/grants.js";
import { afterwards } from "../time/wait.js";
import type { ReadRun } from "./run.js";
import { refuse, refuseAs, stop } from "./stop.js";

/** Asks all guards until they are satisfied with the same arguments. */
export function decide(run: ReadRun): Promise<void> | undefined {
  const { tool, guards } = run.intake;
  if (tool?.refusedBy !== undefined) {
    const reason = `tool ${quoted(run.call.toolName)} was refused when it was declared: ${tool.refusal}`;
    refuse(run, "denied", "policy", "tool_refused", reason, tool.refusedBy);
    return undefined;
  }
  run.grants?.startOver();
  const { call, records, grants } = run;
  const deliberation = new Deliberation(guards.call, "call", call, undefined, records, grants);
  return afterwards(deliberation.run(), decided, run, deliberation);
}

function decided(run: ReadRun, { call, modifiedBy, denial, judged }: Deliberation): void {
  run.call = call;
  run.modifiedBy = modifiedBy;
  if (run.aborted) return;
  const isLiftable =
    run.runner.approver !== undefined && denial !== undefined && asksForApproval(denial);
  run.liftable = isLiftable ? denial : undefined;
  if (isLiftable) return;
  if (denial !== undefined) {
    refuseAs(run, "denied", denial);
  } else if (!judged) {
    const reason = `no guardrail judged tool ${quoted(call.toolName)}; add one that does, or allowAll()`;
    refuse(run, "denied", "no_provider", "no_provider", reason);
  } else if (run.intake.tool === undefined) {
    stop(run, { status: "not_found", ...notFound(run, call.requestedName) });
  }
}

function notFound({ runner }: ReadRun, name: string): { code: string; reason: string } {
  if (runner.knowsTools()) return { code: "not_found", reason: `Tool ${quoted(name)} not found.` };
  const reason = `Tool ${quoted(name)} cannot be looked up: the list of tools could not be read.`;
  return { code: "tools_unknown", reason };
}

/** Lets the guards take quota and leases for the call: once, in order, just before the tool runs. */
export function admit(run: ReadRun): Promise<void> | undefined {
  const { guards } = run.intake;
  if (guards.admit.length === 0) return undefined;
  const deliberation = new Deliberation(guards.admit, "admit", run.call, undefined, run.records);
  return afterwards(deliberation.run(), admitted, run, deliberation);
}

function admitted(run: ReadRun, { denial }: Deliberation): void {
  if (denial !== undefined && !run.aborted) refuseAs(run, "denied", denial);
}

/** Mints the permit, without which `dispatch` runs no tool. */
export function permit(run: ReadRun): undefined {
  run.permit = Permit.mint(run.call, run.scope.caller);
}
