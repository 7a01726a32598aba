import { type CheckedDecision, type Phase, readDecision } from "../../src/guard/read-decision.js";
import { defaultLimits } from "../../src/json/snapshot.js";

export const phases: readonly Phase[] = ["call", "admit", "result"];

export function judged(answer: unknown, phase: Phase = "call"): CheckedDecision {
  return readDecision(answer, phase, "guard", defaultLimits);
}
