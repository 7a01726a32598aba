import { defaultLimits } from "../../src/json.js";
import { type Judgement, judge, type Phase } from "../../src/judgement.js";

export const phases: readonly Phase[] = ["call", "admit", "result"];

export function judged(answer: unknown, phase: Phase = "call"): Judgement {
  return judge(answer, phase, "guard", defaultLimits);
}
