import {
  EVENT_ID,
  type Event,
  getScalarValue,
  SCALAR_STYLE,
  type ScalarEvent,
  type SequenceEvent,
} from "js-yaml";
import type { Path } from "./path.js";

/** Finds the places of values by their paths. Each list and mapping is indexed once, however many are looked for in it. */
export class Places {
  readonly #text: string;
  readonly #events: readonly Event[];
  /** The event that each alias stands for, by their positions among the events. */
  readonly #aliases: ReadonlyMap<number, number>;
  readonly #children = new Map<number, ReadonlyMap<string | number, Child>>();

  constructor(text: string, events: readonly Event[], aliases: ReadonlyMap<number, number>) {
    this.#text = text;
    this.#events = events;
    this.#aliases = aliases;
  }

  /** The place of the value at a path; of a missing key, that of its mapping. */
  offsetOf(path: Path): number | undefined {
    let at = 0;
    let offset = this.#startOf(at);
    for (const step of path) {
      const child = this.#childrenOf(this.#aliases.get(at) ?? at).get(step);
      if (child === undefined) break;
      offset = this.#startOf(child.shown) ?? offset;
      at = child.value;
    }
    return offset;
  }

  /** Returns the parts of a list or a mapping; nothing for any other value. */
  #childrenOf(holder: number): ReadonlyMap<string | number, Child> {
    const known = this.#children.get(holder);
    if (known !== undefined) return known;
    const children = new Map<string | number, Child>();
    const isList = this.#events[holder]?.type === EVENT_ID.SEQUENCE;
    let key: number | undefined;
    for (const at of this.#within(holder)) {
      if (isList) children.set(children.size, { shown: at, value: at });
      else if (key === undefined) key = at;
      else {
        const event = this.#events[key];
        const name = event?.type === EVENT_ID.SCALAR ? getScalarValue(this.#text, event) : "";
        children.set(name, { shown: key, value: at });
        key = undefined;
      }
    }
    this.#children.set(holder, children);
    return children;
  }

  /** The items of a list, or the keys and values of a mapping in turn. */
  *#within(holder: number): Generator<number> {
    let depth = 0;
    for (let at = holder; at < this.#events.length; at++) {
      const type = this.#events[at]?.type;
      if (type === EVENT_ID.POP) depth--;
      else if (depth === 1) yield at;
      if (type === EVENT_ID.MAPPING || type === EVENT_ID.SEQUENCE) depth++;
      if (depth === 0) return;
    }
  }

  #startOf(at: number): number | undefined {
    const event = this.#events[at];
    return event && (startOf(event, this.#text) ?? markBefore(at, this.#events, this.#text));
  }
}

interface Child {
  /** The key, or the item of a list. */
  readonly shown: number;
  readonly value: number;
}

/** The offset of what an event stands for, behind its anchor and tag; nothing where the text does not say it. */
export function startOf(event: Event, text: string): number | undefined {
  switch (event.type) {
    case EVENT_ID.MAPPING:
    case EVENT_ID.SEQUENCE:
      return event.start;
    case EVENT_ID.ALIAS:
      return event.anchorStart - 1;
    case EVENT_ID.SCALAR:
      break;
    default:
      return undefined;
  }
  const { valueStart: start, style, tagStart, anchorStart } = event;
  if (start < 0 && tagStart >= 0) return tagStart;
  if (start < 0) return anchorStart < 0 ? undefined : anchorStart - 1;
  if (style === SCALAR_STYLE.PLAIN) return start;
  if (style === SCALAR_STYLE.SINGLE_QUOTED || style === SCALAR_STYLE.DOUBLE_QUOTED) {
    return start - 1;
  }
  return headerOf(text, start);
}

/** The offset where an event begins, with its anchor and tag if it has them. */
export function startWithProperties(event: ScalarEvent | SequenceEvent, text: string): number {
  const { anchorStart, tagStart } = event;
  const start = startOf(event, text) ?? 0;
  if (event.type === EVENT_ID.SEQUENCE) return start;
  return [anchorStart - 1, tagStart].reduce(
    (first, offset) => (offset >= 0 && offset < first ? offset : first),
    start,
  );
}

/** The place of `|` or `>` in the line before the text that it announces. */
function headerOf(text: string, start: number): number {
  const end = text.charCodeAt(start - 1) === 0x0a ? start - 1 : start;
  const line = text.lastIndexOf("\n", end - 1) + 1;
  const mark = /(?<=^|\s)[|>][-+\d]*\s*(?:#.*)?$/.exec(text.slice(line, end));
  return mark === null ? line : line + mark.index;
}

const mostSigns = 64;

/**
 * The sign of an event that says nothing else, such as `-` of an empty item: the first behind all that stands before it.
 *
 * Those before it that say nothing either have a sign each. Only a key in braces may be without one, as in `{a}`.
 */
export function markBefore(at: number, events: readonly Event[], text: string): number | undefined {
  let before = at - 1;
  let signs = 1;
  for (; before > 0; before--) {
    const event = events[before];
    if (event?.type === EVENT_ID.SCALAR && startOf(event, text) === undefined) signs++;
    else if (event?.type !== EVENT_ID.POP) break;
    // Thousands in a row would each count all those before them.
    if (signs > mostSigns) return undefined;
  }
  const mark = /(?:[\s\]},'"]|#.*)*[-?:]/y;
  mark.lastIndex = endOf(events[before]);
  let found: number | undefined;
  for (; signs > 0 && mark.test(text); signs--) found = mark.lastIndex - 1;
  return found;
}

/** Behind the last character that is known to belong to an event. */
export function endOf(event: Event | undefined): number {
  switch (event?.type) {
    case EVENT_ID.SCALAR:
      return Math.max(event.valueEnd, event.tagEnd, event.anchorEnd, 0);
    case EVENT_ID.ALIAS:
      return event.anchorEnd;
    case EVENT_ID.MAPPING:
    case EVENT_ID.SEQUENCE:
      return event.start;
    default:
      return 0;
  }
}
