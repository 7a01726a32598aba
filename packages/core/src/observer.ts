import { ToolstileError } from "./errors.js";
import { didYouMean, editDistance, quoted } from "./naming.js";
import type { CallRecord, ToolObserver } from "./protocol.js";
import { checkedTimeout, member, reservedName } from "./provider.js";
import type { Run } from "./run.js";
import { waitUntilHeard } from "./tell.js";
import { inTurn, isThenable } from "./thenable.js";

const members = ["name", "required", "intent", "settle", "timeoutMs", "close"];

/** @throws ToolstileError for one that is no observer, and for a member that looks like a misspelling. */
export function checkedObservers(observers: readonly ToolObserver[]): readonly ToolObserver[] {
  const seen = new Set<string>();
  return observers.map((observer) => {
    const name = observer === null ? undefined : member(Object(observer), "name");
    if (typeof name !== "string" || name === "") {
      throw new ToolstileError(
        "ERR_INVALID_PROVIDER",
        "An observer is an object with a name and settle(record). Was a factory passed uncalled?",
      );
    }
    if (name === "core") throw reservedName("observers");
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

function checked(observer: ToolObserver, name: string): ToolObserver {
  for (const key of Object.keys(observer)) {
    if (members.includes(key) || typeof member(observer, key) === "object") continue;
    if (["intent", "settle", "required"].some((known) => editDistance(key, known) <= 1)) {
      throw new ToolstileError(
        "ERR_UNKNOWN_MEMBER",
        `The observer ${quoted(name)} has a member ${quoted(key)}, which nobody would call.${didYouMean(key, members)}`,
      );
    }
  }
  const bound = <K extends "intent" | "settle" | "close">(key: K): ToolObserver[K] => {
    const value = member(observer, key);
    if (value !== undefined && typeof value !== "function") {
      throw new ToolstileError("ERR_INVALID_PROVIDER", `${quoted(name)}.${key} is not a function.`);
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
    throw new ToolstileError("ERR_INVALID_PROVIDER", `${quoted(name)}.required is true or false.`);
  }
  const timeoutMs = member(observer, "timeoutMs");
  return Object.freeze({
    name,
    required: required === true,
    intent: bound("intent"),
    settle,
    timeoutMs:
      timeoutMs === undefined ? undefined : checkedTimeout(timeoutMs, `${quoted(name)}.timeoutMs`),
    close: bound("close"),
  });
}

/** What to do about a required observer that could not record. */
type Unrecorded = (run: Run, observer: string) => void;

/** Tell the observers that the tool is about to run. */
export function tellIntent(run: Run, unrecorded: Unrecorded): Promise<void> | undefined {
  const told = run.settings.observers.filter(({ intent }) => intent !== undefined);
  if (told.length === 0) return undefined;
  return inTurn(told, { run, record: run.record(), phase: "intent", unrecorded }, tellOne);
}

/** Tell the observers how the call ended. */
export function tellOutcome(
  run: Run,
  record: CallRecord,
  unrecorded: Unrecorded,
): Promise<void> | undefined {
  return inTurn(run.settings.observers, { run, record, phase: "settle", unrecorded }, tellOne);
}

interface Telling {
  readonly run: Run;
  readonly record: CallRecord;
  readonly phase: "intent" | "settle";
  readonly unrecorded: Unrecorded;
}

/** All are told, in order, whatever becomes of those before. */
function tellOne(observer: ToolObserver, telling: Telling): Promise<void> | undefined {
  try {
    const heard: unknown = observer[telling.phase]?.(telling.record);
    return isThenable(heard) ? waitForObserver(heard, observer, telling) : undefined;
  } catch (error) {
    missed(observer, telling, error);
    return undefined;
  }
}

function waitForObserver(
  heard: PromiseLike<unknown>,
  observer: ToolObserver,
  telling: Telling,
): Promise<void> {
  const { clock, timeoutMs } = telling.run.scope;
  const failed = (error: unknown): void => missed(observer, telling, error);
  return waitUntilHeard(heard, clock, observer.timeoutMs ?? timeoutMs, failed);
}

function missed(observer: ToolObserver, telling: Telling, error: unknown): void {
  telling.run.scope.report(observer.name, telling.phase, error);
  if (observer.required === true) telling.unrecorded(telling.run, observer.name);
}
