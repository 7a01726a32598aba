import { askApprover, consumeGrants } from "./approval.js";
import { Call } from "./call.js";
import { Fold } from "./fold.js";
import type { Judgement } from "./judgement.js";
import { asksToBeLifted, Lifted } from "./lifted.js";
import { quoted } from "./naming.js";
import { tellIntent } from "./observer.js";
import { parseArguments } from "./parse.js";
import type { JsonObject } from "./protocol.js";
import type { Run } from "./run.js";
import { attempt, type Step } from "./step.js";
import { afterwards, inTurn } from "./thenable.js";

const steps: readonly Step[] = [read, enter, decide, approve, consume, admit, announce, permit];

/**
 * The way from asked to permitted.
 *
 * Whatever ends a run here ends it before its tool has run; only a run that
 * comes through has a permit.
 */
export function open(run: Run): Promise<void> | undefined {
  return inTurn(steps, run, unlessStopped);
}

function unlessStopped(step: Step, run: Run): Promise<void> | undefined {
  return stopped(run) ? undefined : attempt(step, run, undecided);
}

function undecided(run: Run, error: unknown): void {
  run.scope.report("core", "open", error);
  deny(run, "error", "internal_error", "the call could not be decided");
}

/** An abort is looked for before every step, so that no answer given in the meantime counts. */
function stopped(run: Run): boolean {
  if (run.aborted) run.ending ??= { status: "aborted", executed: false };
  return run.ending !== undefined;
}

/** 1–3. Read the arguments into frozen plain JSON, once; the raw ones are never handed on. */
function read(run: Run): undefined {
  const parsed = parseArguments(run.given, run.scope.limits);
  run.given = undefined;
  if (!parsed.ok) {
    const reason = `arguments for tool ${quoted(run.requestedName)} cannot be read: ${parsed.reason}`;
    run.ending = { status: "invalid", code: parsed.code, reason };
    return;
  }
  run.askedArgs = parsed.args;
  run.call = new Call(
    run.identity,
    run.turnId,
    run.callId,
    run.toolName,
    run.requestedName,
    run.agentName,
    run.context,
    run.entry?.definition,
    run.receipt,
    parsed.args,
    run.scope,
  );
}

function enter(run: Run): undefined {
  const { openCalls, closed } = run.settings;
  if (closed()) {
    deny(run, "error", "runner_closed", "the tool runner is closed");
  } else if (openCalls.full) {
    deny(run, "policy", "too_many_open", "too many tool calls are open");
  } else if (run.repeated) {
    deny(
      run,
      "duplicate",
      "duplicate_call_id",
      `call id ${quoted(run.callId)} is used twice in one turn`,
    );
  } else if (run.minted) {
    openCalls.hold();
    run.entered = true;
  } else if (!openCalls.enter(run.openIn, run.callId)) {
    const reason = `call id ${quoted(run.callId)} is that of another call, which is still open in this session`;
    deny(run, "duplicate", "duplicate_call_id", reason);
  } else {
    run.entered = true;
  }
}

/** 4. Ask all guards until they are content with the same arguments. */
function decide(run: Run): Promise<void> | undefined {
  const { entry } = run;
  if (entry?.refusedBy !== undefined) {
    const reason = `tool ${quoted(run.toolName)} was refused when it was declared: ${entry.refusal}`;
    deny(run, "policy", "tool_refused", reason, entry.refusedBy);
    return;
  }
  const lifted = run.grants.length === 0 ? undefined : new Lifted(run.grants);
  const { call, records } = run;
  const fold = new Fold(run.policy.call, "call", call as Call, undefined, records, lifted);
  run.lifted = lifted;
  return afterwards(fold.run(), decided, run, fold);
}

function decided(run: Run, fold: Fold): void {
  run.call = fold.call;
  run.modifiedBy = fold.modifiedBy;
  if (run.aborted) return;
  run.liftable = isLiftable(run, fold.denial) ? fold.denial : undefined;
  if (run.liftable !== undefined) return;
  if (fold.denial !== undefined) denyAs(run, fold.denial);
  else if (!fold.judged) denyUnjudged(run);
  else if (run.entry === undefined) {
    const reason = `Tool ${quoted(run.requestedName)} not found.`;
    run.ending = { status: "not_found", code: "not_found", reason };
  }
}

function isLiftable(run: Run, denial: Judgement | undefined): boolean {
  return run.settings.approver !== undefined && denial !== undefined && asksToBeLifted(denial);
}

/** 5. Have denials lifted that can be, and decide anew: all guards are asked again, from the arguments as asked. */
function approve(run: Run): Promise<void> | undefined {
  return run.liftable === undefined ? undefined : lift(run, run.liftable);
}

async function lift(run: Run, denial: Judgement): Promise<void> {
  await askApprover(run, denial);
  if (stopped(run)) return;
  const call = run.call as Call;
  run.call = Call.derive(call, run.askedArgs as JsonObject, Call.scopeOf(call));
  run.modifiedBy = [];
  const deciding = decide(run);
  if (deciding !== undefined) await deciding;
  const again = stopped(run) ? undefined : approve(run);
  if (again !== undefined) await again;
}

/** 6. Use up the approvals that have lifted a denial of exactly what is now decided, and the one that the run was taken up by: needed or not, it takes up one run, once. */
function consume(run: Run): Promise<void> | undefined {
  if (run.grants.length === 0) return undefined;
  // In the order of the guards, however the run was taken up: of two that take it up at once, none must hold what the other lacks.
  const used = new Set(run.lifted?.used);
  if (run.takenUpBy !== undefined) used.add(run.takenUpBy);
  return used.size === 0 ? undefined : consumeGrants(run, [...used]);
}

/** 6. Let the guards take what the call costs: once, in order, last thing before the tool. */
function admit(run: Run): Promise<void> | undefined {
  if (run.policy.admit.length === 0) return;
  const fold = new Fold(run.policy.admit, "admit", run.call as Call, undefined, run.records);
  return afterwards(fold.run(), admitted, run, fold);
}

function admitted(run: Run, { denial }: Fold): void {
  if (denial !== undefined && !run.aborted) denyAs(run, denial);
}

function announce(run: Run): Promise<void> | undefined {
  return tellIntent(run, unannounced);
}

function unannounced(run: Run, observer: string): void {
  deny(run, "audit", "audit", "the call could not be put on record", observer);
}

function permit(run: Run): undefined {
  run.mint();
}

function deny(
  run: Run,
  basis: "audit" | "duplicate" | "error" | "no_provider" | "policy",
  code: string,
  reason: string,
  decidedBy = "core",
): void {
  run.ending = { status: "denied", basis, decidedBy, code, reason, replacement: undefined };
}

function denyUnjudged(run: Run): void {
  const reason = `no guardrail judged tool ${quoted(run.toolName)}; add one that does, or allowAll()`;
  deny(run, "no_provider", "no_provider", reason);
}

function denyAs(run: Run, { basis, decidedBy, code, reason, replacement }: Judgement): void {
  run.ending = {
    status: "denied",
    basis,
    decidedBy: decidedBy ?? "core",
    code,
    reason: reason ?? "policy violation",
    replacement,
  };
}
