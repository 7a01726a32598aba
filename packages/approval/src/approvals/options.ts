import type { Clock } from "@toolstile/core";
import {
  boolean,
  invalidOption,
  nonEmptyText,
  type OptionsOf,
  type OptionTable,
  readOptions,
  required,
  such,
  systemClock,
  whole,
} from "@toolstile/core/provider";
import type { ApprovalPrompt } from "../prompt/prompt.js";
import { isApproverName } from "../prompt/read-answer.js";
import type { ApprovalStore } from "../store/store.js";

export interface ApprovalsOptions {
  /** The store of the approvals: `memoryStore()`, `fileStore(folder)` or `postgresStore({ client })`. */
  readonly store: ApprovalStore;
  /** The way to ask: `onTerminal()` or `byFunction(…)`. Default: none; somebody answers later. */
  readonly ask?: ApprovalPrompt | undefined;
  /** With `true`, a call waits for its answer, until its question's time is over: `run()` resolves by then. Default `false`: it is denied, and resumed later. */
  readonly wait?: boolean | undefined;
  /** Milliseconds that a question and its grant count, where the denial does not say. Default 15 minutes. */
  readonly expiresInMs?: number | undefined;
  /** The most approvals that may be open at once, in the whole store. One more is denied. Default 256. */
  readonly maxPending?: number | undefined;
  /** The limit of a question's canonical JSON. A longer one is denied. Default 262,144. */
  readonly maxCharacters?: number | undefined;
  /** Names of those who may answer. Default: everybody who can reach the store or is asked. */
  readonly approvers?: readonly string[] | undefined;
  /** Default "approvals". */
  readonly name?: string | undefined;
  readonly clock?: Clock | undefined;
}

/** A timer holds no more than 2^31 - 1 milliseconds. */
export const longestExpiryMs = 14 * 24 * 3_600_000;

const optionsTable = {
  store: required(
    such<ApprovalStore>(
      (value) => has(value, ["add", "read", "list", "answer", "consume", "withdraw"]),
      "memoryStore(), fileStore(folder) or postgresStore({ client })",
    ),
  ),
  ask: such<ApprovalPrompt>(
    (value) => has(value, ["ask"]),
    "onTerminal(), byFunction(…), or an object with a name and ask()",
  ),
  wait: boolean().default(false),
  expiresInMs: such<number>(
    (value) =>
      Number.isSafeInteger(value) && Number(value) >= 1 && Number(value) <= longestExpiryMs,
    `a whole number of milliseconds from 1 to ${longestExpiryMs} (14 days)`,
  ).default(900_000),
  maxPending: whole(1).default(256),
  maxCharacters: whole(1).default(262_144),
  approvers: such<readonly string[]>(isNames, "a list of names, each on one line"),
  name: nonEmptyText().default("approvals"),
  clock: such<Clock>(
    (value) => has(value, ["now", "setTimeout", "clearTimeout"]),
    "an object with now(), setTimeout() and clearTimeout()",
  ).default(systemClock),
} satisfies OptionTable<ApprovalsOptions>;

export interface CheckedOptions extends Omit<OptionsOf<typeof optionsTable>, "ask" | "approvers"> {
  readonly prompt: ApprovalPrompt | undefined;
  readonly mayAnswer: (by: string) => boolean;
}

/** @throws ToolstileError that names the option and what it is. */
export function checked(options: ApprovalsOptions): CheckedOptions {
  const { ask: prompt, approvers, ...given } = readOptions("approvals()", options, optionsTable);
  if (given.wait && prompt !== undefined) {
    throw invalidOption(
      "approvals()",
      "'wait' must not stand beside 'ask', which waits for its own answer. Leave one out.",
    );
  }
  const names = approvers === undefined ? undefined : new Set(approvers);
  return { ...given, prompt, mayAnswer: (by) => names === undefined || names.has(by) };
}

function has(value: unknown, methods: readonly string[]): boolean {
  const object = Object(value) as Record<string, unknown>;
  return methods.every((method) => typeof object[method] === "function");
}

function isNames(value: unknown): boolean {
  return Array.isArray(value) && value.length > 0 && Array.from(value).every(isApproverName);
}
