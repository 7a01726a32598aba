import { checkOptions, ToolstileError } from "@toolstile/core";
import { readAnswer } from "./answer-check.js";
import { expiryOf, isApprovalId } from "./identifier.js";
import type { PromptAnswer } from "./prompt.js";
import { type ApprovalState, stateOf } from "./state.js";
import type { ApprovalRecord, ApprovalStore } from "./store.js";

export interface AnswerOptions {
  /** With `true`, this run's only, though others ask for just the same. Default `false`. */
  readonly only?: boolean | undefined;
}

/** What came of an answer. */
export interface AnswerReceipt {
  /** The approvals that it settled: one for each run that asked for just this. Empty where it came to nothing. */
  readonly answered: readonly string[];
  /** Where the approval that was named stood before: only "pending" takes an answer. */
  readonly found: ApprovalState | "unknown" | "damaged";
}

/** The one that is named and those alike that are pending with it, the named one first. */
export async function pendingAlike(
  store: ApprovalStore,
  record: ApprovalRecord,
  now: number,
): Promise<readonly ApprovalRecord[]> {
  const { records } = await store.list(now);
  const others = records.filter(
    ({ id, likeness, answer }) =>
      answer === undefined && likeness === record.likeness && id !== record.id,
  );
  return [record, ...others];
}

/** Records an answer for each of some ids, and says for which it was in time and the first. */
export async function answerEach(
  store: ApprovalStore,
  ids: readonly string[],
  answer: PromptAnswer,
  now: number,
): Promise<readonly string[]> {
  const answered: string[] = [];
  for (const id of ids) if (await store.answer(id, { ...answer, at: now })) answered.push(id);
  return answered;
}

/**
 * Where an approval stands, also when the store keeps no more of it than its id tells.
 *
 * One whose time is over is taken back for good: a clock that is set back must
 * not bring back what was seen to have expired.
 */
export async function findApproval(
  store: ApprovalStore,
  id: string,
  now: number,
): Promise<{ found: AnswerReceipt["found"]; record?: ApprovalRecord | undefined }> {
  if (!isApprovalId(id)) return { found: "unknown" };
  const record = await store.read(id);
  if (record !== undefined) {
    const found = stateOf(record, now);
    if (found === "expired") await store.withdraw(id);
    return { found, record };
  }
  if (!(now < expiryOf(id))) return { found: "expired" };
  const { damaged } = await store.list(now);
  return { found: damaged.includes(id) ? "damaged" : "unknown" };
}

/** @throws ToolstileError `ERR_INVALID_OPTION` for what is no answer. */
export function requireAnswer(answer: unknown): PromptAnswer {
  const read = readAnswer(answer);
  if (read !== undefined) return read;
  throw new ToolstileError(
    "ERR_INVALID_OPTION",
    'An answer is { decision: "approved" or "denied", by: a name, reason?: a line }, and nothing else: ' +
      "for other arguments, deny, and have the tool called with them.",
  );
}

/**
 * Whether only the run that is named gets the answer.
 *
 * @throws ToolstileError `ERR_UNKNOWN_OPTION` or `ERR_INVALID_OPTION`: a word misspelt must not approve more.
 */
export function isForOneRun(options: AnswerOptions): boolean {
  checkOptions("answer()", options, ["only"]);
  const only = Object.hasOwn(options, "only") ? options.only : undefined;
  if (only === undefined || typeof only === "boolean") return only === true;
  throw new ToolstileError("ERR_INVALID_OPTION", "answer(): 'only' is true or false.");
}
