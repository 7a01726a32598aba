import type { Finding } from "../scan/findings.js";
import type { Replace } from "./actions.js";
import type { Redacted } from "./json-pass.js";

/** The texts, of which `whole` is made, with marks in place of the findings that go on from one into another. */
export function replacedAcross(
  texts: readonly string[],
  whole: string,
  found: readonly Finding[],
  replace: Replace,
): readonly Redacted<string>[] {
  let from = 0;
  let next = 0;
  return texts.map((text) => {
    const to = from + text.length;
    const kinds: string[] = [];
    let value = "";
    let at = from;
    for (let finding = found[next]; finding !== undefined && finding.start < to; ) {
      const { start, end, kind } = finding;
      if (start < from || end > to) {
        if (start >= from) value += whole.slice(at, start) + replace(finding, whole);
        at = Math.min(end, to);
        kinds.push(kind);
      }
      if (end > to) break;
      next += 1;
      finding = found[next];
    }
    value += whole.slice(at, to);
    from = to;
    return { value, kinds };
  });
}
