import { canonicalJson } from "@toolstile/core";

/** Whether two values are the same JSON, in whatever order their members come. What is no JSON is the same as nothing. */
export function isSameJson(one: unknown, other: unknown): boolean {
  try {
    return canonicalJson(one as never) === canonicalJson(other as never);
  } catch {
    return false;
  }
}
