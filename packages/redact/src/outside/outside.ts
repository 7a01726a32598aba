import type { JsonValue } from "@toolstile/core";
import { type Replace, replacing } from "../redactor/actions.js";
import type { Redacted } from "../redactor/json-pass.js";
import type { ReadRedactorOptions } from "../redactor/options.js";
import { Paths } from "../redactor/paths.js";
import type { Finding } from "../scan/findings.js";
import { marksIn, type Place } from "../text/marks.js";
import { ask } from "./ask.js";
import { Page } from "./page.js";
import { defaultTimeoutMs, type Recognizer } from "./recognizer.js";

/** Masks in values that were redacted already what recognisers find in them. */
export class Outside {
  readonly #recognizers: readonly Recognizer[];
  readonly #replace: Replace;
  readonly #paths: Paths;
  readonly #marks: ReadonlySet<string>;
  readonly #allowed: (finding: Finding, text: string) => boolean;

  /** @param marks - the kinds whose marks are passed over. */
  constructor(
    recognizers: readonly Recognizer[],
    options: ReadRedactorOptions,
    marks: ReadonlySet<string>,
    allowed: (finding: Finding, text: string) => boolean,
  ) {
    this.#recognizers = recognizers;
    this.#replace = replacing(options.actionOf, options.key, options.tokens);
    this.#paths = new Paths(options.paths ?? {}, options.key, options.tokens);
    this.#marks = marks;
    this.#allowed = allowed;
  }

  /** Milliseconds after which every answer is there, or never comes. */
  get timeoutMs(): number {
    return this.#recognizers.reduce(
      (most, { timeoutMs = defaultTimeoutMs }) => Math.max(most, timeoutMs),
      0,
    );
  }

  /** Finds items in a text, disjoint, in order and beside all marks. @throws Unrecognized. */
  async find(text: string, signal: AbortSignal | undefined): Promise<readonly Finding[]> {
    const found = (await ask(this.#recognizers, text, signal)).filter(
      (each) => !this.#allowed(each, text),
    );
    return found.length === 0 ? [] : disjoint(found, marksIn(text, this.#marks));
  }

  /** Redacts values with one question. @throws Unrecognized. */
  async values(
    values: readonly JsonValue[],
    signal: AbortSignal | undefined,
  ): Promise<Redacted<readonly JsonValue[]>> {
    const page = new Page(this.#paths);
    const rebuilds = values.map((value) => page.add(value));
    const { text } = page;
    const found = await this.find(text, signal);
    if (found.length === 0) return { value: values, kinds: [] };
    const kinds = new Set<string>();
    const marked = (start: number, end: number) => {
      const parts: string[] = [];
      let from = start;
      for (const each of partsOf(found, start, end)) {
        kinds.add(each.kind);
        parts.push(text.slice(from, each.start), this.#replace(each, text));
        from = each.end;
      }
      parts.push(text.slice(from, end));
      return parts.join("");
    };
    const value = rebuilds.map((rebuild) => rebuild(marked));
    return { value, kinds: [...kinds] };
  }
}

/** The findings that reach into a stretch, cut to it. */
function* partsOf(found: readonly Finding[], start: number, end: number): Generator<Finding> {
  let low = 0;
  for (let high = found.length; low < high; ) {
    const middle = (low + high) >> 1;
    if ((found[middle] as Finding).end <= start) low = middle + 1;
    else high = middle;
  }
  for (let index = low; index < found.length; index++) {
    const { start: from, end: to, kind } = found[index] as Finding;
    if (from >= end) return;
    yield { start: Math.max(start, from), end: Math.min(end, to), kind };
  }
}

/** Findings in order, those that overlap as one, without what stands in marks. */
function disjoint(found: readonly Finding[], marks: readonly Place[]): readonly Finding[] {
  const merged: { start: number; end: number; kind: string }[] = [];
  for (const each of [...found].sort((a, b) => a.start - b.start || b.end - a.end)) {
    const last = merged.at(-1);
    if (last === undefined || each.start >= last.end) merged.push({ ...each });
    else last.end = Math.max(last.end, each.end);
  }
  const beside: Finding[] = [];
  let next = 0;
  for (const { start, end, kind } of merged) {
    while (next < marks.length && (marks[next] as Place).end <= start) next += 1;
    let from = start;
    for (let index = next; index < marks.length; index++) {
      const mark = marks[index] as Place;
      if (mark.start >= end) break;
      if (mark.start > from) beside.push({ start: from, end: mark.start, kind });
      from = mark.end;
    }
    if (from < end) beside.push({ start: from, end, kind });
  }
  return beside;
}
