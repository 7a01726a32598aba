import { type Clock, checkOptions, ToolstileError } from "@toolstile/core";
import { isApproverName } from "./answer-check.js";
import type { ApprovalPrompt } from "./prompt.js";
import type { ApprovalStore } from "./store.js";

export interface ApprovalsOptions {
  /** Where approvals are kept: `memoryStore()`, `fileStore(folder)` or `postgresStore({ client })`. */
  readonly store: ApprovalStore;
  /** How to ask: `onTerminal()` or `byFunction(…)`. Default: nobody is asked, and somebody answers later. */
  readonly ask?: ApprovalPrompt | undefined;
  /** Milliseconds that a question and its grant count, where the denial does not say. Default 15 minutes. */
  readonly expiresInMs?: number | undefined;
  /** How many may be open at once, in the whole store; one more is denied, and none is put out. Default 256. */
  readonly maxPending?: number | undefined;
  /** Of a question's canonical JSON; a longer one is denied. Default 262,144. */
  readonly maxCharacters?: number | undefined;
  /** Who may answer. Default: whoever can reach the store or is asked. */
  readonly approvers?: readonly string[] | undefined;
  /** Default "approvals". */
  readonly name?: string | undefined;
  readonly clock?: Clock | undefined;
}

const known: readonly (keyof ApprovalsOptions)[] = [
  "store",
  "ask",
  "expiresInMs",
  "maxPending",
  "maxCharacters",
  "approvers",
  "name",
  "clock",
];

/** A timer holds no more than 2^31 - 1 milliseconds. */
export const longestExpiryMs = 14 * 24 * 3_600_000;

const systemClock: Clock = Object.freeze({
  now: () => Date.now(),
  setTimeout: (run: () => void, ms: number) => setTimeout(run, ms),
  clearTimeout: (timer: never) => clearTimeout(timer),
});

export interface CheckedOptions {
  readonly store: ApprovalStore;
  readonly prompt: ApprovalPrompt | undefined;
  readonly expiresInMs: number;
  readonly maxPending: number;
  readonly maxCharacters: number;
  readonly mayAnswer: (by: string) => boolean;
  readonly name: string;
  readonly clock: Clock;
}

/** @throws ToolstileError that names the option and what it is. */
export function checked(options: ApprovalsOptions): CheckedOptions {
  checkOptions("approvals()", options, known);
  const given: Partial<ApprovalsOptions> = Object.assign(Object.create(null), options);
  const { store, ask, approvers, name = "approvals", clock = systemClock } = given;
  const { expiresInMs = 900_000, maxPending = 256, maxCharacters = 262_144 } = given;
  if (!has(store, ["add", "read", "list", "answer", "consume", "withdraw"])) {
    throw invalid("'store' is memoryStore(), fileStore(folder) or postgresStore({ client })");
  }
  if (ask !== undefined && !has(ask, ["ask"])) {
    throw invalid("'ask' is onTerminal(), byFunction(…), or an object with a name and ask()");
  }
  for (const [option, value] of Object.entries({ maxPending, maxCharacters })) {
    if (!isCount(value)) throw invalid(`'${option}' is a whole number from 1`);
  }
  if (!isCount(expiresInMs) || expiresInMs > longestExpiryMs) {
    throw invalid("'expiresInMs' is a whole number of milliseconds, from 1 to 14 days");
  }
  if (approvers !== undefined && !isNames(approvers)) {
    throw invalid("'approvers' is a list of names, each on one line");
  }
  if (typeof name !== "string" || name === "") throw invalid("'name' is text and not empty");
  if (!has(clock, ["now", "setTimeout", "clearTimeout"])) {
    throw invalid("'clock' is an object with now(), setTimeout() and clearTimeout()");
  }
  const names = approvers === undefined ? undefined : new Set(approvers);
  return {
    store,
    prompt: ask,
    expiresInMs,
    maxPending,
    maxCharacters,
    mayAnswer: (by) => names === undefined || names.has(by),
    name,
    clock,
  };
}

function has<T extends object>(value: T | undefined, methods: readonly string[]): value is T {
  const object = Object(value) as Record<string, unknown>;
  return methods.every((method) => typeof object[method] === "function");
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 1;
}

function isNames(value: unknown): boolean {
  return Array.isArray(value) && value.length > 0 && Array.from(value).every(isApproverName);
}

function invalid(what: string): ToolstileError {
  return new ToolstileError("ERR_INVALID_OPTION", `approvals(): ${what}.`);
}
