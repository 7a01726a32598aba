import type { ToolOutcome } from "@toolstile/core";
import { sameJson } from "@toolstile/core/provider";
import { type ContentViolation, contentViolation } from "./result-violation.js";

/** The findings of judges about one result. */
export interface ResultFinding {
  /** Whatever stands in the way of the result, without its place in the conversation. */
  readonly violation: ContentViolation | undefined;
  /** In place of the result's content, if a judge has changed it. */
  readonly content: unknown;
  readonly modifiedBy: string | undefined;
  /** True if every judge has decided. One that failed, or that passes in spite of it, may decide another time. */
  readonly isDecided: boolean;
}

/** Reads what a runner has made of a result. */
export function findingOf(
  outcome: ToolOutcome,
  content: unknown,
  callId: string | undefined,
): ResultFinding {
  const found = contentViolation(outcome, callId);
  const isDecided =
    (outcome.status === "executed" || outcome.status === "withheld") &&
    outcome.decisions.every(({ basis, mode }) => basis === "policy" && mode === undefined);
  if (found !== undefined) {
    return { violation: found, content: undefined, modifiedBy: undefined, isDecided };
  }
  const changed = sameJson(content, outcome.result.content) ? undefined : outcome.result.content;
  const modifiedBy = outcome.decisions.findLast(({ decision }) => decision === "modify")?.provider;
  return { violation: undefined, content: changed, modifiedBy, isDecided };
}
