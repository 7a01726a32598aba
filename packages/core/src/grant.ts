import { canonicalJson } from "./canonical.js";
import type { Judgement } from "./judgement.js";
import type { ApprovalQuestion, ApprovalRequest, JsonObject } from "./protocol.js";

/** An approval in hand: it lifts one provider's denial, by its code, of one set of arguments. */
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
  question: Pick<ApprovalQuestion, "provider" | "code" | "reason" | "approval" | "args">,
): Grant {
  const { provider, code, reason, approval, args } = question;
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
   * Whether a denial is lifted. Of guards that were asked as one, every denial
   * must be, and none may have changed anything: what the others would have
   * said of that was never asked.
   */
  covers(denial: Judgement, provider: string, args: JsonObject): boolean {
    const said = denial.records?.filter(({ decision, mode }) => {
      return decision !== "allow" && mode !== "shadow";
    });
    const denials = said ?? [{ provider: denial.decidedBy ?? provider, ...denial }];
    const text = canonicalJson(args);
    const lifting = denials.map((one) =>
      one.decision !== "deny" || one.basis !== "policy"
        ? undefined
        : this.#grants.find((grant) => lifts(grant, one, text)),
    );
    if (lifting.length === 0 || lifting.includes(undefined)) return false;
    for (const grant of lifting) this.used.add(grant as Grant);
    return true;
  }
}

/** A grant lifts what its own guard said, by its code, of these arguments, and nothing else. */
export function lifts(
  grant: Grant,
  { provider, code }: Pick<ApprovalQuestion, "provider" | "code">,
  args: string,
): boolean {
  return grant.provider === provider && grant.code === code && grant.args === args;
}
