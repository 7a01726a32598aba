import type { DecisionRecord, ToolOutcome } from "@toolstile/core";
import { ownText, ownValue } from "@toolstile/core/provider";
import type { RulePlaces } from "./rule-places.js";

/** The verdicts, with the one first that counts where a call has several. */
export const verdicts = ["deny", "ask", "withhold", "cut", "rewrite", "change", "allow"] as const;

/**
 * The effect on a call: allowed, denied, put before a human, its arguments changed, its result
 * withheld, cut by a rule or rewritten by another guard.
 */
export type Verdict = (typeof verdicts)[number];

/** The verdicts by which a call, or its result, does not come to its end. */
export const stops: ReadonlySet<Verdict> = new Set(["deny", "ask", "withhold"]);

/** One answer of a policy that is more than to allow. */
export interface Ruling {
  readonly verdict: Exclude<Verdict, "allow">;
  /** True if it is only recorded. */
  readonly shadow: boolean;
  /** The guard as the file names it; "core" if no guard was asked. */
  readonly guard: string;
  /** The rules of the guard that decided, if it has rules. */
  readonly rules: readonly string[];
  readonly code: string | undefined;
  readonly reason: string;
}

/** Reads from an outcome what a policy did, with what counts first. An empty list is a call that it let pass as it was. */
export function rulingsOf(outcome: ToolOutcome, places: RulePlaces): readonly Ruling[] {
  const isQuestion = outcome.status === "denied" && outcome.basis === "approval";
  const found = new Map<string, Ruling>();
  for (const record of outcome.decisions) {
    const verdict = verdictOf(record, isQuestion, places);
    if (verdict === undefined) continue;
    const ruling = rulingOf(record, verdict, places);
    // A guard that is asked again after a change says the same once more.
    found.set(JSON.stringify([verdict, ruling.shadow, ruling.guard, ruling.rules]), ruling);
  }
  const rulings = [...found.values()];
  const stopped = stopOf(outcome, places);
  const isKnown = rulings.some(({ shadow, verdict }) => !shadow && stops.has(verdict));
  if (stopped !== undefined && !isKnown) rulings.push(stopped);
  return rulings.sort(byWeight);
}

function byWeight(one: Ruling, other: Ruling): number {
  return (
    Number(one.shadow) - Number(other.shadow) ||
    verdicts.indexOf(one.verdict) - verdicts.indexOf(other.verdict)
  );
}

function verdictOf(
  { decision, phase, mode, provider, metadata }: DecisionRecord,
  isQuestion: boolean,
  places: RulePlaces,
): Ruling["verdict"] | undefined {
  if (decision === "allow") return undefined;
  if (decision === "deny") {
    if (phase === "result") return "withhold";
    return isQuestion && mode !== "shadow" ? "ask" : "deny";
  }
  if (phase !== "result") return "change";
  const isCut = places.isOfRules(provider) && ownText(metadata, "rule") !== undefined;
  return isCut ? "cut" : "rewrite";
}

function rulingOf(
  { provider, mode, code, basis, reason, metadata }: DecisionRecord,
  verdict: Ruling["verdict"],
  places: RulePlaces,
): Ruling {
  return {
    verdict,
    shadow: mode === "shadow",
    guard: places.guardOf(provider),
    rules: rulesIn(metadata),
    code: code ?? (basis === "policy" ? undefined : basis),
    reason: reason ?? "",
  };
}

function rulesIn(metadata: unknown): readonly string[] {
  const one = ownText(metadata, "rule");
  if (one !== undefined) return [one];
  const several = ownValue(metadata, "rules");
  return Array.isArray(several) ? several.filter((each) => typeof each === "string") : [];
}

/** The denial of a call that no guard's record accounts for. */
function stopOf(outcome: ToolOutcome, places: RulePlaces): Ruling | undefined {
  switch (outcome.status) {
    case "denied":
    case "withheld": {
      const { decidedBy, code, basis, reason } = outcome;
      const verdict = outcome.status === "denied" ? "deny" : "withhold";
      const guard = places.guardOf(decidedBy);
      return { verdict, shadow: false, guard, rules: [], code: code ?? basis, reason };
    }
    case "invalid":
    case "not_found": {
      const { code, reason } = outcome;
      return { verdict: "deny", shadow: false, guard: "core", rules: [], code, reason };
    }
    default:
      return undefined;
  }
}
