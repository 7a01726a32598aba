import { replacing } from "../redactor/actions.js";
import { builtRedactor, markedKinds } from "../redactor/redactor.js";
import type { Finding } from "../scan/findings.js";
import { marksIn, type Place } from "../text/marks.js";
import { ask } from "./ask.js";
import type { RecognizedFinding, Recognizer } from "./recognizer.js";

/**
 * Asks recognisers about texts in which all that structure tells is masked, and gives the places in the texts themselves.
 *
 * It gives findings in any order, and none that is in a mark.
 */
export function inHiddenText(
  recognizers: readonly Recognizer[],
): (text: string) => Promise<readonly RecognizedFinding[]> {
  const others = recognizers.flatMap(({ kinds }) => kinds);
  const everything = builtRedactor({}, others);
  const marks = markedKinds(others);
  const mark = replacing(() => "mask", undefined, undefined);
  return async (text) => {
    const marked = marksIn(text, marks).map((each) => ({
      ...each,
      mark: text.slice(each.start, each.end),
    }));
    const found = everything.find(text).map((each) => ({ ...each, mark: mark(each, text) }));
    const hidden = new HiddenText(
      text,
      [...marked, ...found].sort((a, b) => a.start - b.start),
    );
    const findings = await ask(recognizers, hidden.text, undefined);
    return findings.flatMap((each) => hidden.original(each) ?? []);
  };
}

/** A text with marks in place of what nobody may see, and the way back to it. */
class HiddenText {
  readonly text: string;
  /** The stretches that are shown, in order: where each begins and ends in `text`, and how much farther it stands in the original. */
  readonly #shown: readonly (Place & { readonly shift: number })[];

  /** @param hidden - places in order, with the mark that stands there instead. Those that overlap count as one. */
  constructor(original: string, hidden: readonly (Place & { readonly mark: string })[]) {
    const shown: (Place & { readonly shift: number })[] = [];
    const parts: string[] = [];
    let from = 0;
    let length = 0;
    const show = (until: number) => {
      if (until <= from) return;
      shown.push({ start: length, end: length + until - from, shift: from - length });
      parts.push(original.slice(from, until));
      length += until - from;
    };
    for (const { start, end, mark } of hidden) {
      show(start);
      if (start >= from) {
        parts.push(mark);
        length += mark.length;
      }
      from = Math.max(from, end);
    }
    show(original.length);
    this.text = parts.join("");
    this.#shown = shown;
  }

  /** The finding as it stands in the original; undefined for one in marks. Its ends are not in a mark. */
  original<Found extends Finding>(found: Found): Found | undefined {
    const first = this.#shown[this.#count(({ end }) => end <= found.start)];
    const last = this.#shown[this.#count(({ start }) => start < found.end) - 1];
    if (first === undefined || last === undefined) return undefined;
    const start = Math.max(found.start, first.start) + first.shift;
    const end = Math.min(found.end, last.end) + last.shift;
    return start < end ? { ...found, start, end } : undefined;
  }

  /** The number of stretches, from the first one on, for which something holds. */
  #count(holds: (stretch: Place) => boolean): number {
    let low = 0;
    for (let high = this.#shown.length; low < high; ) {
      const middle = (low + high) >> 1;
      if (holds(this.#shown[middle] as Place)) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
