import { ToolstileError } from "../errors/error.js";
import { didYouMean, editDistance, quoted } from "../errors/names.js";
import { wrongValue } from "../errors/option-error.js";
import { timeout } from "../errors/option-readers.js";
import { refuseReserved } from "../guard/guard-names.js";
import { member } from "../json/own.js";
import type { CallRecord, ToolObserver } from "../protocol/outcome.js";
import { untilHeard } from "../time/notify.js";
import { inTurn, isThenable } from "../time/wait.js";
import { conclude } from "./outcome.js";
import { type EndedRun, isEnded, type ReadRun, type Run } from "./run.js";
import { refuse } from "./stop.js";

/** The members of which a slip would have no effect. */
const members = ["required", "intent", "settle"];

/** Checks and copies observers. @throws ToolstileError for a value that is not an observer, and for a member that looks like a misspelling. */
export function checkedObservers(observers: readonly ToolObserver[]): readonly ToolObserver[] {
  const seen = new Set<string>();
  return observers.map((observer, index) => {
    const name = nameOf(observer, index);
    refuseReserved(name, "observers");
    if (seen.has(name)) {
      throw new ToolstileError(
        "ERR_DUPLICATE_PROVIDER",
        `Two observers are named ${quoted(name)}. Give one of them another name.`,
      );
    }
    seen.add(name);
    return checked(observer, name);
  });
}

function nameOf(observer: ToolObserver, index: number): string {
  try {
    const name = member(Object(observer), "name");
    if (typeof name === "string" && name !== "") return name;
  } catch {
    // A proxy that throws has no name that could stand on records.
  }
  throw new ToolstileError(
    "ERR_INVALID_PROVIDER",
    `Observer number ${index + 1} of the list must be an object with a name and settle(record). Was a factory passed uncalled?`,
  );
}

function checked(observer: ToolObserver, name: string): ToolObserver {
  const where = `Observer ${quoted(name)}`;
  for (const key of Object.keys(observer)) {
    if (members.includes(key) || typeof member(observer, key) === "object") continue;
    if (members.some((known) => editDistance(key, known) <= 1)) {
      throw new ToolstileError(
        "ERR_UNKNOWN_MEMBER",
        `The observer ${quoted(name)} has a member ${quoted(key)}, which core does not call.${didYouMean(key, members)}`,
      );
    }
  }
  const bound = <K extends "intent" | "settle" | "close">(key: K): ToolObserver[K] => {
    const value = member(observer, key);
    if (value !== undefined && typeof value !== "function") {
      throw wrongValue("ERR_INVALID_PROVIDER", where, `\`${key}\``, "a function", value);
    }
    return value?.bind(observer) as ToolObserver[K];
  };
  const settle = bound("settle");
  if (settle === undefined) {
    throw new ToolstileError(
      "ERR_INVALID_PROVIDER",
      `The observer ${quoted(name)} has no settle(record). Guardrails go under \`guardrails\`.`,
    );
  }
  const required = member(observer, "required");
  if (required !== undefined && typeof required !== "boolean") {
    throw wrongValue("ERR_INVALID_PROVIDER", where, "`required`", "a boolean", required);
  }
  return Object.freeze({
    name,
    required: required === true,
    intent: bound("intent"),
    settle,
    timeoutMs: timeout().read(
      member(observer, "timeoutMs"),
      `The observer ${quoted(name)}`,
      "timeoutMs",
    ),
    close: bound("close"),
  });
}

/** Tells the observers that the tool is about to run. A required one that cannot record it denies the call. */
export function announce(run: ReadRun): Promise<void> | undefined {
  const { observers } = run.runner;
  if (!observers.some(({ intent }) => intent !== undefined)) return undefined;
  return inTurn(observers, { run, record: run.record(), phase: "intent" }, notifyOne);
}

/** Tells the observers how the call ended. */
export function record(run: EndedRun): Promise<void> | undefined {
  if (!run.runner.observed()) return undefined;
  run.settledAt = run.scope.terms.clock.now();
  return inTurn(run.runner.observers, { run, record: run.record(), phase: "settle" }, notifyOne);
}

interface Notice {
  readonly run: Run;
  readonly record: CallRecord;
  readonly phase: "intent" | "settle";
}

/** Tells one observer. All are told, in order, even if one before fails. */
function notifyOne(observer: ToolObserver, notice: Notice): Promise<void> | undefined {
  try {
    const heard: unknown = observer[notice.phase]?.(notice.record);
    return isThenable(heard) ? waitForObserver(heard, observer, notice) : undefined;
  } catch (error) {
    missed(observer, notice, error);
    return undefined;
  }
}

function waitForObserver(
  heard: PromiseLike<unknown>,
  observer: ToolObserver,
  notice: Notice,
): Promise<void> {
  const bounds = notice.run.scope.deadline(observer.timeoutMs);
  return untilHeard(heard, bounds, (error) => missed(observer, notice, error));
}

function missed(observer: ToolObserver, { run, phase }: Notice, error: unknown): void {
  run.scope.report(observer.name, phase, error);
  if (observer.required !== true) return;
  if (phase === "intent") refuseUnrecorded(run, "denied", observer.name);
  else if (isEnded(run)) keepOffTheRecord(run, observer.name);
}

/** Keeps a result that is not on record from the model. The observers have already been told the facts. */
function keepOffTheRecord(run: EndedRun, observer: string): void {
  // A released call has not run yet: its caller is told not to run it.
  if (run.outcome.status === "released") refuseUnrecorded(run, "denied", observer);
  // A call that did not run, or perhaps did not, must not be reported as run.
  else if (run.outcome.executed === true) refuseUnrecorded(run, "withheld", observer);
  else return;
  conclude(run);
}

function refuseUnrecorded(run: Run, status: "denied" | "withheld", observer: string): void {
  refuse(run, status, "audit", "audit", "the call could not be put on record", observer);
}
