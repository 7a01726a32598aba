import type { PromptAnswer } from "./prompt.js";

const members: readonly PropertyKey[] = ["decision", "by", "reason"];
const longestName = 200;
const longestReason = 1_000;

/** The answer, read once; nothing for what is none. */
export function readAnswer(value: unknown): PromptAnswer | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const answer = new Map(Reflect.ownKeys(value).map((key) => [key, Reflect.get(value, key)]));
  // An answer with arguments would approve what no guard has judged.
  for (const key of answer.keys()) if (!members.includes(key)) return undefined;
  const decision: unknown = answer.get("decision");
  const by: unknown = answer.get("by");
  const reason: unknown = answer.get("reason");
  if (decision !== "approved" && decision !== "denied") return undefined;
  if (!isApproverName(by)) return undefined;
  if (reason !== undefined && !isReason(reason)) return undefined;
  return Object.freeze({ decision, by, reason });
}

/** One line of at most 200 characters that can be seen. */
export function isApproverName(value: unknown): value is string {
  return isLine(value, longestName) && value.trim() === value;
}

function isReason(value: unknown): value is string {
  return isLine(value, longestReason);
}

function isLine(value: unknown, longest: number): value is string {
  return (
    typeof value === "string" &&
    value !== "" &&
    value.length <= longest &&
    !/[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/u.test(value)
  );
}
