import type { ApprovalQuestion, Awaitable } from "@toolstile/core";

/** A question that somebody is to answer. */
export interface AskedApproval {
  readonly id: string;
  /** Plain JSON, frozen. */
  readonly question: ApprovalQuestion;
  /** SHA-256 of what a grant is bound to. */
  readonly binding: string;
  /** SHA-256 of all but the run: the same for questions that one answer may settle. */
  readonly likeness: string;
  /** Milliseconds since the epoch. */
  readonly askedAt: number;
  /** Milliseconds since the epoch. From then on neither answer nor grant counts. */
  readonly expiresAt: number;
}

/** What somebody answered. There is none with changes: other arguments are another action. */
export interface ApproverAnswer {
  readonly decision: "approved" | "denied";
  /** Who answered, as the host knows them. */
  readonly by: string;
  /** Of a denial; the model reads it. */
  readonly reason?: string | undefined;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

/** An approval as a store has it. */
export interface ApprovalRecord extends AskedApproval {
  readonly answer?: ApproverAnswer | undefined;
  /** Whether its grant has been used up. */
  readonly used: boolean;
}

export interface ApprovalListing {
  /** Pending ones, and approved ones that were not used yet; none that has expired. */
  readonly records: readonly ApprovalRecord[];
  /** Ids of those that are not as they were written. They count as denied. */
  readonly damaged: readonly string[];
}

/**
 * Where approvals are kept.
 *
 * Each method is atomic among all processes that share the store, and throws
 * where it cannot be: an approval is denied by that.
 */
export interface ApprovalStore {
  /** Adds a pending one; false, and nothing is added, where `maxOpen` are open, or would be with what others add at once. Never puts another out. */
  readonly add: (
    asked: AskedApproval,
    limit: { readonly maxOpen: number; readonly now: number },
  ) => Awaitable<boolean>;
  /** What is known of one, whole and unchanged; nothing for one that is damaged. */
  readonly read: (id: string) => Awaitable<ApprovalRecord | undefined>;
  readonly list: (now: number) => Awaitable<ApprovalListing>;
  /** Records an answer, `answer.at` being now; false where it is too late, or not the first. */
  readonly answer: (id: string, answer: ApproverAnswer) => Awaitable<boolean>;
  /** Uses a grant up: true exactly once, and only if it was approved, bound to this and has not expired. */
  readonly consume: (id: string, binding: string, now: number) => Awaitable<boolean>;
  /**
   * Whether a grant of this run was used up, as far back as the store remembers: then the run
   * has had its turn, and a new question of it would be one about what may have been done.
   */
  readonly hasUsed: (runId: string) => Awaitable<boolean>;
  /** Takes back a question that nobody waits for any more. */
  readonly withdraw: (id: string) => Awaitable<void>;
  readonly close?: (() => Awaitable<void>) | undefined;
}
