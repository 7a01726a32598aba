import type { ApprovalQuestion } from "@toolstile/core";
import { boolean, readOptions, ToolstileError } from "@toolstile/core/provider";
import type { PromptAnswer } from "../prompt/prompt.js";
import { readAnswer } from "../prompt/read-answer.js";
import { expiryOf, isApprovalId } from "../record/approval-id.js";
import type { ApprovalRecord } from "../record/record.js";
import { type ApprovalState, stateOf } from "../record/state.js";
import { isSought, type SoughtCall } from "../store/sought.js";
import type { ApprovalStore } from "../store/store.js";
import { findOpen } from "./find-open.js";

export interface AnswerOptions {
  /** With `true`, this run's only, though others ask for just the same. Default `false`. */
  readonly only?: boolean | undefined;
}

/** The effect of an answer. */
export interface AnswerReceipt {
  /** The approvals that it settled: one for each run that asked for just this. Empty where it came to nothing. */
  readonly answered: readonly string[];
  /** The state of the approval before. Only a pending one takes an answer. */
  readonly found: ApprovalState | "unknown" | "damaged";
}

/** The one that is named and those alike that are pending with it, the named one first. */
export async function pendingAlike(
  store: ApprovalStore,
  record: ApprovalRecord,
  now: number,
): Promise<readonly ApprovalRecord[]> {
  const alike = await findOpen(store, { likeness: record.likeness }, now);
  return [record, ...alike.filter(({ id }) => id !== record.id)];
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
 * Finds the state of an approval, even if the store no longer has more than its id.
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
  const { damaged } = await store.list(now, { id });
  return { found: damaged.includes(id) ? "damaged" : "unknown" };
}

/** Finds the approval of a question, whichever process asked it: given before pending, pending before refused. */
export async function findQuestion(
  store: ApprovalStore,
  isIt: (question: ApprovalQuestion) => boolean,
  call: SoughtCall | undefined,
  now: number,
): Promise<ApprovalRecord | undefined> {
  const open = (await findOpen(store, call, now)).filter(({ question }) => isIt(question));
  const given = open.find(({ answer }) => answer?.decision === "approved") ?? open[0];
  if (given !== undefined) return given;
  const refused = await store.refused?.(now, call);
  return refused?.findLast((record) => isSought(record, call) && isIt(record.question));
}

/** @throws ToolstileError `ERR_INVALID_OPTION` for anything but an answer. */
export function requireAnswer(answer: unknown): PromptAnswer {
  const read = readAnswer(answer);
  if (read !== undefined) return read;
  throw new ToolstileError(
    "ERR_INVALID_OPTION",
    'An answer must be { decision: "approved" or "denied", by: a name, reason?: a line }, and nothing else: ' +
      "for other arguments, deny, and have the tool called with them.",
  );
}

/**
 * True if the answer is for the run of the approval alone.
 *
 * @throws ToolstileError `ERR_UNKNOWN_OPTION` or `ERR_INVALID_OPTION`: a word misspelt must not approve more.
 */
export function isForOneRun(options: AnswerOptions): boolean {
  return readOptions("answer()", options, { only: boolean().default(false) }).only;
}
