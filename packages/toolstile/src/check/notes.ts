import type { InspectedGuardFile } from "@toolstile/config";
import { rulesGuardsOf } from "../policy/rule-places.js";

/** Facts that a reader of a report must know, and that are not mistakes. */
export function notesOn(
  { guards, approverUse }: InspectedGuardFile,
  { at, isTimed }: { readonly at: number | undefined; readonly isTimed: boolean },
): readonly string[] {
  const rules = rulesGuardsOf(guards).flatMap(({ guard, options }) =>
    options.rules.map((rule) => ({ rule, isEnforced: guard.mode === "enforce" })),
  );
  const asking = rules.filter(({ rule, isEnforced }) => isEnforced && rule.ask !== undefined);
  const isByTime = rules.some(({ rule: { when, require } }) =>
    // Within a string, its quotes would be escaped.
    JSON.stringify([when, require]).includes('"time":'),
  );
  const notes: string[] = [];
  if (at !== undefined) notes.push(`Rules are asked as at ${new Date(at).toISOString()} (--at).`);
  else if (isByTime && !isTimed) notes.push(byNow);
  if (asking.length > 0 && approverUse === undefined) {
    notes.push(
      `${asking.length === 1 ? "A rule asks" : `${asking.length} rules ask`} a human, and the file names no approver: unless the host's code has one, these calls are denied.`,
    );
  }
  return notes;
}

const byNow =
  "Rules look at the clock: this is what they say now. --at TIME asks them of another time.";
