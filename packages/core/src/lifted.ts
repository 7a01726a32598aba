import { canonicalJson } from "./canonical.js";
import type { Judgement } from "./judgement.js";
import type { ApprovalQuestion, ApprovalRequest, JsonObject } from "./protocol.js";

/** An approval in hand: it lifts one provider's denial, as it was shown, of one set of arguments. */
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
  question: Shown & Pick<ApprovalQuestion, "args">,
): Grant {
  const { provider, code, reason, args } = question;
  // Read here, where what throws is no approval: an approver may have kept anything.
  const approval = Object.freeze({ ...question.approval });
  return Object.freeze({ approvalId, provider, code, reason, approval, args: canonicalJson(args) });
}

/** The denials that approvals lift while guards are asked, and those that they did lift. */
export class Lifted {
  readonly #grants: readonly Grant[];
  readonly used = new Set<Grant>();

  constructor(grants: readonly Grant[]) {
    this.#grants = grants;
  }

  /**
   * Whether a denial is lifted. Of guards that were asked as one, it must be all
   * that was said against the call, and none may have changed anything: what
   * the others would have said of that was never asked.
   */
  covers(denial: Judgement, provider: string, args: JsonObject): boolean {
    if (!asksToBeLifted(denial)) return false;
    const said = denial.records?.filter(({ decision, mode }) => {
      return decision !== "allow" && mode !== "shadow";
    });
    if (said !== undefined && said.length !== 1) return false;
    const text = canonicalJson(args);
    const asked = shownOf(denial, provider);
    const lifting = this.#grants.find((grant) => lifts(grant, asked, text));
    if (lifting === undefined) return false;
    this.used.add(lifting);
    return true;
  }
}

/** Whether a guard says of its denial that a human may lift it. A failure says nothing of the kind. */
export function asksToBeLifted(denial: Judgement): boolean {
  return denial.decision === "deny" && denial.basis === "policy" && denial.approval !== undefined;
}

/** What is shown of a denial. */
export type Shown = Pick<ApprovalQuestion, "provider" | "code" | "reason" | "approval">;

export function shownOf(denial: Judgement, provider: string): Shown {
  return {
    provider: denial.decidedBy ?? provider,
    code: denial.code,
    reason: denial.reason ?? "policy violation",
    approval: denial.approval as ApprovalRequest,
  };
}

/**
 * A grant lifts what somebody read: its own guard's code, reason and summary,
 * of these arguments. How long a question waits is settled when it is asked,
 * and is no part of what was said.
 */
export function lifts(
  grant: Grant,
  { provider, code, reason, approval }: Shown,
  args: string,
): boolean {
  return (
    grant.provider === provider &&
    grant.code === code &&
    grant.reason === reason &&
    grant.approval.summary === approval.summary &&
    grant.args === args
  );
}
