import type { Scope } from "../call/caller.js";
import { Permit } from "../call/permit.js";
import { Result, readResult } from "../call/result.js";
import { ToolstileError } from "../errors/error.js";
import { quoted } from "../errors/names.js";
import { Deliberation } from "../guard/deliberation.js";
import type { Guard } from "../guard/guard.js";
import type { ToolResult } from "../protocol/guardrail.js";
import { untilHeard } from "../time/notify.js";
import { afterwards, inTurn, isThenable } from "../time/wait.js";
import {
  type AnsweredRun,
  type EndedRun,
  isAnswered,
  isRead,
  type ReadRun,
  type Run,
} from "./run.js";
import { abort, refuseAs, stop } from "./stop.js";

/** Reads the tool's answer, before any guard judges it, and revokes the permit. */
export function readAnswer(run: Run): void {
  if (run.permit !== undefined) Permit.revoke(run.permit);
  const { answered } = run;
  if (!isRead(run) || answered === undefined || run.stop !== undefined) return;
  if (Object.hasOwn(answered, "released")) stop(run, { status: "released" });
  else if (Object.hasOwn(answered, "unused")) abort(run, wasUsed(run) ? "unknown" : false);
  // What an aborted call has brought is not looked at. conclude() ends the run.
  else if (run.aborted) return;
  else if (Object.hasOwn(answered, "unknown")) stop(run, { status: "unknown" });
  else if ("value" in answered && Object.hasOwn(answered, "value")) readValue(run, answered.value);
  else if ("error" in answered && Object.hasOwn(answered, "error")) fail(run, answered.error);
}

function wasUsed({ permit }: Run): boolean {
  return permit !== undefined && Permit.used(permit);
}

function readValue(run: ReadRun, value: unknown): void {
  const { callId, requestedName, toolName } = run.call;
  try {
    if (value instanceof Error) {
      fail(run, value);
      return;
    }
    run.result = readResult(value, callId, requestedName);
  } catch (cause) {
    const message = `Tool ${quoted(toolName)} answered what JSON cannot hold.`;
    fail(run, new ToolstileError("ERR_NOT_JSON", message, { cause }));
  }
}

/** Makes the text of a tool's error its result, which is judged like any other. */
function fail(run: ReadRun, error: unknown): void {
  const { callId, requestedName, toolName } = run.call;
  run.answered = { error };
  const text = messageOf(error) || `Tool ${quoted(toolName)} failed.`;
  run.result = new Result(callId, requestedName, true, text);
}

function messageOf(error: unknown): string | undefined {
  try {
    const message: unknown = error instanceof Error ? error.message : error;
    if (typeof message !== "string") return undefined;
    return error instanceof AggregateError ? withParts(message, error.errors) : message;
  } catch {
    return undefined;
  }
}

/** The most parts of an error that are told. */
const mostParts = 16;

/** Tells the errors that an AggregateError is made of: its own message is often empty. */
function withParts(message: string, errors: readonly unknown[]): string {
  const parts = errors.slice(0, mostParts).map((each) => messageOf(each) ?? "");
  const told = parts.filter((part) => part !== "");
  if (errors.length > mostParts) told.push(`and ${errors.length - mostParts} more`);
  return [message, told.join("; ")].filter((each) => each !== "").join(": ");
}

/** Asks the guards about the result. They see the identity that it claims; then core writes its own. */
export function judge(run: Run): Promise<void> | undefined {
  return isAnswered(run) ? judgeResult(run) : undefined;
}

function judgeResult(run: AnsweredRun): Promise<void> | undefined {
  const { guards } = run.intake;
  if (guards.result.length === 0) {
    identify(run, run.result);
    return undefined;
  }
  const deliberation = new Deliberation(guards.result, "result", run.call, run.result, run.records);
  return afterwards(deliberation.run(), judged, run, deliberation);
}

function judged(run: AnsweredRun, { denial, result }: Deliberation): void {
  // conclude() ends the run.
  if (run.aborted) return;
  if (denial !== undefined) refuseAs(run, "withheld", denial);
  else if (result !== undefined) identify(run, result);
}

function identify(run: AnsweredRun, result: ToolResult): void {
  run.rewritten = result !== run.result;
  run.result = Result.identified(result, run.call.callId, run.call.requestedName);
}

/** Tells each guard once how the call ended, so that it gives back what it took. */
export function settle(run: EndedRun): Promise<void> | undefined {
  return inTurn(run.intake.guards.settle, run, notifyGuard);
}

function notifyGuard({ facts }: Guard, run: EndedRun): Promise<void> | undefined {
  try {
    const heard: unknown = facts.settle?.(run.settled, run.outcome);
    return isThenable(heard) ? waitForGuard(heard, facts.name, run.scope) : undefined;
  } catch (error) {
    run.scope.report(facts.name, "settle", error);
    return undefined;
  }
}

function waitForGuard(heard: PromiseLike<unknown>, name: string, scope: Scope): Promise<void> {
  return untilHeard(heard, scope.deadline(), (error) => scope.report(name, "settle", error));
}

/** Tells the listeners. */
export function emit(run: EndedRun): undefined {
  run.runner.emit(run);
}
