import type { ApprovalAnswer, ApprovalQuestion, Approver, ToolObserver } from "@toolstile/core";
import { quoted, sharedSignal, ToolstileError } from "@toolstile/core/provider";
import type { PromptAnswer } from "../prompt/prompt.js";
import { SharedPrompts, type Waited } from "../prompt/shared-prompts.js";
import { newApprovalId } from "../record/approval-id.js";
import { bindingOf, likenessOf, snapshotQuestion } from "../record/binding.js";
import type { ApprovalListing, ApprovalRecord, AskedApproval } from "../record/record.js";
import type { SoughtCall } from "../store/sought.js";
import {
  type AnswerOptions,
  type AnswerReceipt,
  answerEach,
  findApproval,
  findQuestion,
  isForOneRun,
  pendingAlike,
  requireAnswer,
} from "./answering.js";
import { awaitAnswer } from "./await-answer.js";
import { findOpen } from "./find-open.js";
import { knownAnswer, openOfQuestion, withdrawRun } from "./one-run.js";
import { type ApprovalsOptions, type CheckedOptions, checked, longestExpiryMs } from "./options.js";
import { type ApprovalStatistics, Tally } from "./statistics.js";

/** The state of an approval, and its record if the store has it. */
export interface ApprovalStanding {
  /** `unknown` where the store has none of this id, or none any more. `damaged` ones approve nothing. */
  readonly state: AnswerReceipt["found"];
  readonly record?: ApprovalRecord | undefined;
}

/** An approver for a runner, and the way to answer its questions. */
export interface Approvals extends Approver {
  /**
   * Answers a pending question, and those of other runs that ask for just the
   * same; each run gets a grant of its own.
   *
   * @throws ToolstileError `ERR_INVALID_OPTION` for anything but an answer, for an
   * approver who may not answer, and for wrong options.
   */
  readonly answer: (
    approvalId: string,
    answer: PromptAnswer,
    options?: AnswerOptions,
  ) => Promise<AnswerReceipt>;
  /** Gives the state of an approval, with who answered it and why. */
  readonly read: (approvalId: string) => Promise<ApprovalStanding>;
  /**
   * Finds the approval of a question: one that was given and not used, else one
   * that is pending, else one that was refused and whose time is not over.
   *
   * Without the call that the question is about, all approvals are looked at.
   */
  readonly find: (
    isIt: (question: ApprovalQuestion) => boolean,
    call?: SoughtCall,
  ) => Promise<ApprovalRecord | undefined>;
  /** Takes back a question that no call waits for any more, and an approval that was not used. Resolves to the state before. */
  readonly withdraw: (approvalId: string) => Promise<ApprovalStanding["state"]>;
  /** Lists what is pending, and what was approved and not used yet: ids for `runner.resume()`. */
  readonly list: () => Promise<ApprovalListing>;
  readonly statistics: () => ApprovalStatistics;
  /** Counts calls, for `promptsPer100Calls`. Give it to the runner's `observers`. */
  readonly observer: ToolObserver;
  readonly close: () => Promise<void>;
}

/**
 * Lifts denials when somebody says so, each for one run, once.
 *
 * A grant is bound to the question that was shown, down to the last member,
 * to who answered, and to when it expires. There is no approval with changes.
 *
 * @throws ToolstileError `ERR_INVALID_OPTION` or `ERR_UNKNOWN_OPTION`.
 */
export function approvals(options: ApprovalsOptions): Approvals {
  const stored = new StoredApprovals(checked(options));
  const { name } = stored;
  return Object.freeze<Approvals>({
    name,
    ask: (question, { signal }) => stored.ask(question, signal),
    recall: (id) => stored.recall(id),
    consume: (id, question) => stored.consume(id, question),
    answer: (id, answer, how) => stored.answer(id, answer, how),
    read: (id) => stored.read(id),
    find: (isIt, call) => stored.find(isIt, call),
    withdraw: (id) => stored.withdraw(id),
    list: () => stored.list(),
    statistics: () => stored.tally.read(),
    observer: Object.freeze<ToolObserver>({ name, settle: () => stored.tally.count("calls") }),
    close: () => stored.close(),
  });
}

/** Answers the runner's questions from a store, and by prompts if there are any. */
class StoredApprovals {
  readonly name: string;
  readonly tally = new Tally();
  readonly #options: CheckedOptions;
  readonly #prompts: SharedPrompts | undefined;
  /** Ends the waiting of calls. */
  readonly #closed = new AbortController();

  constructor(options: CheckedOptions) {
    const { name, prompt, clock } = options;
    this.name = name;
    this.#options = options;
    if (prompt !== undefined) {
      this.#prompts = new SharedPrompts(prompt, clock, () => this.tally.count("prompts"));
    }
  }

  async ask(question: ApprovalQuestion, signal: AbortSignal): Promise<ApprovalAnswer> {
    const { store, maxPending, clock, mayAnswer, wait } = this.#options;
    this.tally.count("questions");
    const asked = this.#asked(question);
    if (typeof asked === "string") return this.#refused(asked);
    if (signal.aborted) return this.#refused("the caller gave up");
    // What is open of the run stays: another process may be about to use it.
    if (await store.hasUsed(question.runId))
      return this.#refused("its run has used its approvals already");
    const known = knownAnswer(await openOfQuestion(store, asked, clock.now()), mayAnswer);
    // Where somebody is asked, the run waits for them, and for no other process.
    if (known?.decision === "approved") return known;
    if (known?.decision === "pending" && this.#prompts === undefined) {
      return wait ? this.#waited({ ...asked, id: known.approvalId }, signal) : known;
    }
    if (!(await store.add(asked, { maxOpen: maxPending, now: clock.now() }))) {
      return this.#refused("too many approvals are open");
    }
    if (this.#prompts === undefined) {
      const pending = await this.#pending(asked);
      return wait ? this.#waited(asked, signal) : pending;
    }
    return this.#settled(asked, await this.#prompts.wait(asked, signal));
  }

  async recall(id: string): Promise<ApprovalQuestion | undefined> {
    const { store, clock, mayAnswer } = this.#options;
    const { found, record } = await findApproval(store, id, clock.now());
    if (found !== "approved" || !mayAnswer(record?.answer?.by ?? "")) return undefined;
    return record?.question;
  }

  async consume(id: string, question: ApprovalQuestion): Promise<false | { readonly by: string }> {
    const { store, clock, mayAnswer } = this.#options;
    const now = clock.now();
    const { found, record } = await findApproval(store, id, now);
    const by = record?.answer?.by ?? "";
    if (found !== "approved" || !mayAnswer(by)) return false;
    const binding = bindingOf(question);
    if (record?.binding !== binding) return false;
    if ((await store.consume(id, binding, now)) !== true) return false;
    this.tally.count("used");
    // Two that resumed the run at once may both have asked.
    const twins = await openOfQuestion(store, { question, binding }, now);
    for (const twin of twins) await store.withdraw(twin.id);
    return { by };
  }

  async answer(id: string, given: PromptAnswer, how: AnswerOptions = {}): Promise<AnswerReceipt> {
    const { store, clock } = this.#options;
    const only = isForOneRun(how);
    const answer = requireAnswer(given);
    this.#requireApprover(answer.by);
    const now = clock.now();
    const { found, record } = await findApproval(store, id, now);
    if (found === "expired") this.tally.count("expired");
    if (found !== "pending" || record === undefined) return { answered: [], found };
    const alike = only ? [record] : await pendingAlike(store, record, now);
    const ids = alike.map((each) => each.id);
    const answered = await answerEach(store, ids, answer, now);
    for (const _ of answered) this.tally.count(answer.decision);
    if (answer.decision === "denied") {
      const denied = alike.filter((each) => answered.includes(each.id));
      for (const { question } of denied) await withdrawRun(store, question.runId, now);
    }
    return { answered, found };
  }

  async read(id: string): Promise<ApprovalStanding> {
    const { store, clock } = this.#options;
    const { found, record } = await findApproval(store, id, clock.now());
    return record === undefined ? { state: found } : { state: found, record };
  }

  async find(...[isIt, call]: Parameters<Approvals["find"]>): Promise<ApprovalRecord | undefined> {
    const { store, clock } = this.#options;
    return findQuestion(store, isIt, call, clock.now());
  }

  async withdraw(id: string): Promise<ApprovalStanding["state"]> {
    const { store, clock } = this.#options;
    const { found } = await findApproval(store, id, clock.now());
    if (found === "pending" || found === "approved") await store.withdraw(id);
    return found;
  }

  async list(): Promise<ApprovalListing> {
    return this.#options.store.list(this.#options.clock.now());
  }

  async close(): Promise<void> {
    this.#closed.abort();
    this.#prompts?.close();
    await this.#options.store.close?.();
  }

  /** The question as it is kept, or why it cannot be. */
  #asked(given: ApprovalQuestion): AskedApproval | string {
    const { clock, maxCharacters } = this.#options;
    let snapshot: ReturnType<typeof snapshotQuestion>;
    try {
      snapshot = snapshotQuestion(given);
    } catch {
      return "the call's context holds what JSON cannot, and could not be shown";
    }
    const { question, characters } = snapshot;
    if (characters > maxCharacters) return "the call is too large to be shown";
    const { expiresInMs = this.#options.expiresInMs } = question.approval;
    if (!(expiresInMs > 0)) return "its time to answer was over before it began";
    const askedAt = Math.floor(clock.now());
    const expiresAt = askedAt + Math.ceil(Math.min(expiresInMs, longestExpiryMs));
    return Object.freeze({
      id: newApprovalId(expiresAt),
      question,
      binding: bindingOf(question),
      likeness: likenessOf(question),
      askedAt,
      expiresAt,
    });
  }

  /** Questions that are alike are shown as one. */
  async #pending({ id, likeness }: AskedApproval): Promise<ApprovalAnswer> {
    const { store, clock } = this.#options;
    // This one, and another if there is any.
    const alike = await findOpen(store, { likeness, enough: 2 }, clock.now());
    if (!alike.some((other) => other.id !== id)) this.tally.count("prompts");
    return { decision: "pending", approvalId: id };
  }

  /** The answer that somebody gives at the store, in time; then, or where the caller leaves, the question is taken back. */
  async #waited(asked: AskedApproval, signal: AbortSignal): Promise<ApprovalAnswer> {
    const { store, clock, mayAnswer } = this.#options;
    // Very many calls may wait for one end: a signal of the platform looks through all that listen.
    const ends = [signal, this.#closed.signal].map(sharedSignal);
    const standing = await awaitAnswer(store, asked, clock, ends);
    const { found, record } = standing;
    const { by = "", reason } = record?.answer ?? {};
    if (found === "approved" && mayAnswer(by))
      return { decision: "approved", approvalId: asked.id };
    if (found === "denied") return { decision: "denied", reason, approvalId: asked.id, by };
    if (found === "expired") return this.#expired();
    await store.withdraw(asked.id);
    return this.#refused(noAnswer);
  }

  async #settled({ id, question }: AskedApproval, waited: Waited): Promise<ApprovalAnswer> {
    const { store, clock, mayAnswer } = this.#options;
    if (waited.end === "answered" && mayAnswer(waited.answer.by)) {
      const { answer } = waited;
      const now = clock.now();
      // Somebody else may have answered at the store in the meantime: the first answer counts.
      const first = await store.answer(id, { ...answer, at: now });
      const { found, record } = first
        ? { found: answer.decision, record: undefined }
        : await findApproval(store, id, now);
      if (found === "approved") {
        this.tally.count("approved");
        return { decision: "approved", approvalId: id };
      }
      if (found === "expired") return this.#expired();
      this.tally.count("denied");
      await withdrawRun(store, question.runId, now);
      const { reason } = first ? answer : {};
      const by = first ? answer.by : record?.answer?.by;
      return { decision: "denied", reason, approvalId: id, by };
    }
    await store.withdraw(id);
    if (waited.end === "expired") return this.#expired();
    this.tally.count("denied");
    return { decision: "denied", reason: waited.end === "left" ? undefined : noAnswer };
  }

  #expired(): ApprovalAnswer {
    this.tally.count("expired");
    return { decision: "denied", reason: "nobody answered in time" };
  }

  #refused(reason: string): ApprovalAnswer {
    this.tally.count("refused");
    return { decision: "denied", reason };
  }

  #requireApprover(by: string): void {
    if (this.#options.mayAnswer(by)) return;
    throw new ToolstileError(
      "ERR_INVALID_OPTION",
      `${quoted(by)} may not answer here: the option 'approvers' of approvals() does not name them.`,
    );
  }
}

const noAnswer = "the approver gave no answer";
