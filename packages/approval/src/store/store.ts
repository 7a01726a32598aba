import type { Awaitable } from "@toolstile/core/provider";
import type {
  ApprovalListing,
  ApprovalRecord,
  ApproverAnswer,
  AskedApproval,
} from "../record/record.js";
import type { Sought, SoughtCall } from "./sought.js";

/**
 * A store of approvals.
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
  /** Reads an approval, whole and unchanged. Undefined if there is none, or it is damaged. */
  readonly read: (id: string) => Awaitable<ApprovalRecord | undefined>;
  /**
   * Lists the open ones. If some are sought, it gives at least these, and may leave out all others.
   *
   * An approval is asked, answered and used at a constant cost only if the store finds what is sought without a look at the others.
   */
  readonly list: (now: number, sought?: Sought | undefined) => Awaitable<ApprovalListing>;
  /** Lists those that were refused and whose time is not over; of a call, if one is sought. Without it, a refusal is known to the process that asked. */
  readonly refused?:
    | ((now: number, sought?: SoughtCall | undefined) => Awaitable<readonly ApprovalRecord[]>)
    | undefined;
  /** Records an answer, `answer.at` being now; false where it is too late, or not the first. */
  readonly answer: (id: string, answer: ApproverAnswer) => Awaitable<boolean>;
  /** Uses a grant up: true exactly once, and only if it was approved, bound to this and has not expired. */
  readonly consume: (id: string, binding: string, now: number) => Awaitable<boolean>;
  /**
   * True if a grant of this run was used, as far back as the store remembers: then the run
   * has had its turn, and a new question of it would be one about what may have been done.
   */
  readonly hasUsed: (runId: string) => Awaitable<boolean>;
  /** Calls back each time that an approval may have been answered or taken back, in this process or another; the function returned ends that. Without it, or where it returns none, whoever waits looks once a second; with it, every ten seconds. */
  readonly watch?:
    | ((id: string, wake: () => void) => Awaitable<(() => void) | undefined>)
    | undefined;
  /** Takes back a question that no run waits for any more. */
  readonly withdraw: (id: string) => Awaitable<void>;
  readonly close?: (() => Awaitable<void>) | undefined;
}
