import { type Finding, masked } from "./masked.js";
import type { StreamRewriter } from "./rail.js";

/**
 * Masks a text that comes in pieces.
 *
 * A place is written out when no text that is still to come can change what is
 * found there: `reach` code units later, and never inside of a finding. So
 * each character leaves once, and no finding leaves in part.
 *
 * @param find gives findings in order that do not overlap.
 */
export function maskedStream(
  find: (text: string) => Promise<readonly Finding[]>,
  reach: number,
  mask: (finding: Finding) => string,
): StreamRewriter {
  /** The text that was written out lately, and the text that was not yet. */
  let text = "";
  /** The length of what has been. */
  let written = 0;
  return {
    take: async (piece, isLast) => {
      text += piece;
      // Each look costs twice the reach: look when a part of it can leave.
      if (!isLast && text.length - reach - written < Math.max(1, reach / 16)) return "";
      const found = await find(text);
      const from = written;
      const until = isLast
        ? text.length
        : Math.max(from, settled(text, text.length - reach, found));
      const here = found.flatMap((finding) =>
        finding.end <= from || finding.start >= until
          ? []
          : [{ ...finding, start: Math.max(finding.start, from) - from, end: finding.end - from }],
      );
      const leaves = masked(text.slice(from, until), here, mask);
      written = Math.min(until, reach);
      text = text.slice(until - written);
      return leaves;
    },
  };
}

/** The place up to which a text can be written out, at most `until`. */
function settled(text: string, until: number, found: readonly Finding[]): number {
  let place = until;
  for (const { start, end } of found) if (start < place && end > place) place = start;
  const before = text.charCodeAt(place - 1);
  // Not between the halves of a character.
  return before >= 0xd800 && before <= 0xdbff ? place - 1 : place;
}
