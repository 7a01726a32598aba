import type { ToolOutcome } from "@toolstile/core";
import type { Act } from "./agent.js";
import type { Expectation, Verdict } from "./script.js";

/** The outcome of a call: one word, the guard that decided it, and the reason. */
export interface Ruling {
  readonly verdict: Verdict;
  readonly by: string;
  readonly code: string | undefined;
  readonly reason: string | undefined;
}

export function rulingOf(outcome: ToolOutcome): Ruling {
  switch (outcome.status) {
    case "executed":
      return outcome.modifiedBy.length === 0
        ? { verdict: "ALLOW", by: "every guard", code: undefined, reason: undefined }
        : { verdict: "MODIFY", by: outcome.modifiedBy.join(", "), ...modification(outcome) };
    case "denied":
    case "withheld": {
      const { status, decidedBy, code, reason } = outcome;
      return { verdict: status === "denied" ? "DENY" : "WITHHOLD", by: decidedBy, code, reason };
    }
    case "invalid":
    case "not_found":
      return { verdict: "DENY", by: "core", code: outcome.code, reason: outcome.reason };
    default:
      return { verdict: "DENY", by: "core", code: outcome.status, reason: undefined };
  }
}

function modification({ decisions }: ToolOutcome) {
  const { code, reason } = decisions.find(({ decision }) => decision === "modify") ?? {};
  return { code, reason };
}

/** True if the outcome is as the script says: the word, the guard, and the tool's arguments. */
export function isAsScripted(
  { outcome, deed }: Act,
  asked: string,
  expected: Expectation,
): boolean {
  const { verdict, by, code } = rulingOf(outcome);
  const ran = deed === undefined ? undefined : JSON.stringify(deed.args);
  return (
    verdict === expected.verdict &&
    (expected.by === undefined || by === expected.by) &&
    code === expected.code &&
    ran === (verdict === "DENY" ? undefined : (expected.ran ?? asked))
  );
}
