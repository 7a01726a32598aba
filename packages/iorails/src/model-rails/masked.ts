import { CannotJudge } from "./cannot-judge.js";
import type { RailVerdict } from "./rail.js";
import { blockedIf } from "./verdicts.js";

/** Something found in a text, as UTF-16 offsets. */
export interface Finding {
  /** The name that stands in the mask. */
  readonly entity: string;
  readonly start: number;
  readonly end: number;
  readonly score: number;
}

/**
 * The findings in the order of the text, those that overlap made one of the
 * name with the highest score.
 *
 * @throws CannotJudge for a finding that is no part of the text.
 */
export function disjoint(findings: readonly Finding[], text: string): readonly Finding[] {
  const merged: Finding[] = [];
  for (const finding of [...findings].sort((a, b) => a.start - b.start)) {
    const { start, end } = finding;
    const isPart =
      Number.isInteger(start) &&
      Number.isInteger(end) &&
      start >= 0 &&
      start < end &&
      end <= text.length;
    if (!isPart) throw new CannotJudge("a finding must be a part of the text");
    const last = merged.at(-1);
    if (last === undefined || last.end <= start) {
      merged.push(finding);
      continue;
    }
    const stronger = finding.score > last.score ? finding : last;
    merged[merged.length - 1] = { ...stronger, start: last.start, end: Math.max(last.end, end) };
  }
  return merged;
}

/** The verdict on what was found in a text: it blocks or, with a mask, is masked. */
export function verdictOn(
  text: string,
  found: readonly Finding[],
  reason: string,
  mask: ((finding: Finding) => string) | undefined,
): RailVerdict {
  const metadata = { entities: [...new Set(found.map(({ entity }) => entity))] };
  if (found.length === 0 || mask === undefined) {
    return blockedIf(found.length > 0, reason, metadata);
  }
  return { status: "modified", text: masked(text, found, mask), reason, metadata };
}

/** The text with a mask in place of each finding. */
export function masked(
  text: string,
  findings: readonly Finding[],
  mask: (finding: Finding) => string,
): string {
  let written = "";
  let from = 0;
  for (const finding of findings) {
    written += text.slice(from, finding.start) + mask(finding);
    from = finding.end;
  }
  return written + text.slice(from);
}
