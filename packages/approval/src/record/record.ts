import type { ApprovalQuestion } from "@toolstile/core";

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

/** An answer to a question. There is none with changes: other arguments are another action. */
export interface ApproverAnswer {
  readonly decision: "approved" | "denied";
  /** The approver, as the host knows them. */
  readonly by: string;
  /** The reason of a denial. The model reads it. */
  readonly reason?: string | undefined;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

/** An approval as a store has it. */
export interface ApprovalRecord extends AskedApproval {
  readonly answer?: ApproverAnswer | undefined;
  /** True if its grant has been used. */
  readonly used: boolean;
}

export interface ApprovalListing {
  /** Pending ones, and approved ones that were not used yet; none that has expired. */
  readonly records: readonly ApprovalRecord[];
  /** Ids of those that are not as they were written. They count as denied. */
  readonly damaged: readonly string[];
}
