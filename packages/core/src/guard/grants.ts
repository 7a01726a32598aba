import { canonicalJson } from "../json/canonical.js";
import type { ApprovalQuestion } from "../protocol/approval.js";
import type { ApprovalRequest, JsonObject } from "../protocol/guardrail.js";
import type { DecisionRecord } from "../protocol/outcome.js";
import type { Denial } from "./read-decision.js";
import { flat } from "./trail.js";

/** An approval that a run has: it covers one provider's denial, as it was shown, of one set of arguments. */
export interface Grant {
  readonly approvalId: string;
  readonly provider: string;
  readonly code: string | undefined;
  readonly reason: string;
  readonly approval: ApprovalRequest;
  /** Canonical JSON. */
  readonly args: string;
}

export function grantOf(
  approvalId: string,
  question: ShownDenial & Pick<ApprovalQuestion, "args">,
): Grant {
  const { provider, code, reason, args } = question;
  // Read here, where an error means that the approval is not valid: an approver may have kept anything.
  const approval = Object.freeze({ ...question.approval });
  return Object.freeze({ approvalId, provider, code, reason, approval, args: canonicalJson(args) });
}

/** The approvals of a run, and those of them that cover a denial of what is now decided. */
export class Grants {
  readonly #all: Grant[];
  readonly used = new Set<Grant>();

  constructor(all: readonly Grant[] = []) {
    this.#all = [...all];
  }

  get count(): number {
    return this.#all.length;
  }

  /** Forgets which were used, when everything is decided again. */
  startOver(): void {
    this.used.clear();
  }

  add(grant: Grant): void {
    this.#all.push(grant);
  }

  /** True if one of them covers this denial of these arguments. */
  has(denial: ShownDenial, args: JsonObject): boolean {
    return this.#find(denial, args) !== undefined;
  }

  /**
   * Uses the approval of a denial. Of guards that were asked as one, the denial
   * must be the only objection to the call, and none may have changed anything:
   * the others have not been asked about such a change.
   */
  cover(denial: Denial, provider: string, args: JsonObject): boolean {
    if (!asksForApproval(denial)) return false;
    if (denial.records !== undefined && flat(denial.records).filter(objects).length !== 1) {
      return false;
    }
    const grant = this.#find(shownDenial(denial, provider), args);
    if (grant === undefined) return false;
    this.used.add(grant);
    return true;
  }

  /**
   * A grant covers what a human read: the code, reason and summary of one guard,
   * for these arguments. The time that a question waits is settled when it is
   * asked, and does not count.
   */
  #find({ provider, code, reason, approval }: ShownDenial, args: JsonObject): Grant | undefined {
    const text = canonicalJson(args);
    return this.#all.find(
      (grant) =>
        grant.provider === provider &&
        grant.code === code &&
        grant.reason === reason &&
        grant.approval.summary === approval.summary &&
        grant.args === text,
    );
  }
}

function objects({ decision, mode }: DecisionRecord): boolean {
  return decision !== "allow" && mode !== "shadow";
}

/** A denial of which a guard says that a human may lift it. */
export type LiftableDenial = Denial & { readonly approval: ApprovalRequest };

/** True if a guard says of its denial that a human may lift it. The denial of a guard that failed cannot be lifted. */
export function asksForApproval(denial: Denial): denial is LiftableDenial {
  return denial.basis === "policy" && denial.approval !== undefined;
}

/** A denial as an approver is shown it. */
export type ShownDenial = Pick<ApprovalQuestion, "provider" | "code" | "reason" | "approval">;

export function shownDenial(denial: LiftableDenial, provider: string): ShownDenial {
  return {
    provider: denial.decidedBy ?? provider,
    code: denial.code,
    reason: denial.reason,
    approval: denial.approval,
  };
}
