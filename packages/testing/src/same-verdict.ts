import assert from "node:assert";
import { isDeepStrictEqual } from "node:util";
import { asJson } from "./json-shape.js";
import type { Verdict } from "./question.js";

/** True if a caller would act on both in the same way. Metadata may differ: it may hold a time. */
export function isSame(actual: Verdict | undefined, expected: Verdict | undefined): boolean {
  return isDeepStrictEqual(actedOn(actual), actedOn(expected));
}

/** Fail unless the guard answers what it answered before, and say in which circumstances it does not. */
export function assertSame(
  actual: Verdict | undefined,
  expected: Verdict | undefined,
  where: string,
  circumstances: string,
): void {
  const difference = differenceOf(actual, expected);
  assert.ok(isSame(actual, expected), `${where}: ${circumstances}, it answers ${difference}.`);
}

/** The difference between two answers, in words that quote neither. */
export function differenceOf(actual: Verdict | undefined, expected: Verdict | undefined): string {
  const [now, before] = [decisionOf(actual), decisionOf(expected)];
  return now === before ? `another ${now} than before` : `${now} instead of ${before}`;
}

function decisionOf(verdict: Verdict | undefined): string {
  const decision = (actedOn(verdict) as { decision?: unknown }).decision;
  return decision === "allow" || decision === "deny" || decision === "modify"
    ? decision
    : "no decision";
}

function actedOn(verdict: Verdict | undefined): object {
  return asJson({ ...verdict, metadata: undefined }) as object;
}
