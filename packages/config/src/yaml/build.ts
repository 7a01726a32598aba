import type { JsonValue } from "@toolstile/core";
import {
  type AliasEvent,
  COLLECTION_STYLE,
  EVENT_ID,
  type Event,
  type MappingEvent,
  SCALAR_STYLE,
  type ScalarEvent,
  type SequenceEvent,
} from "js-yaml";
import {
  beginsBlock,
  columnOf,
  isAnchorName,
  isBehindOuterComment,
  missingSpace,
} from "./grammar.js";
import { type Anchored, awaitsKey, copyOf, type Frame, single } from "./nodes.js";
import { markBefore, startOf, startWithProperties } from "./places.js";
import { deepest, mostNodes, tooMany } from "./plain-json.js";
import { ownTag, readKey, readScalar } from "./scalars.js";
import { indentation } from "./syntax-faults.js";

/** More problems of one file are not told. */
const mostOffences = 20;

/** Aliases of one file; more is an attempt to exhaust memory. */
const mostAliases = 100;

const noSpace = "cannot be read as YAML: a space is missing behind an anchor or tag";
const tooManyAliases = `it has more than ${mostAliases} aliases`;
const outerComment =
  "cannot be read as YAML: the comment before a value must not be indented less than the value";
const noAnchor = "an alias names no anchor: a text that begins with * needs quotes";
const badIndentation = `cannot be read as YAML: ${indentation}`;
const tooMuch = "its aliases stand for too much, or it is nested too deeply";

/** One thing that the parser accepts and the reader refuses. */
export interface Offence {
  readonly problem: string;
  /** Absent if the text as a whole is at fault. */
  readonly offset?: number | undefined;
}

/** The data that events stand for. */
export interface Built {
  /** The data that was read. It must not be used where there are offences. */
  readonly data: JsonValue;
  readonly offences: readonly Offence[];
  /** The event that each alias stands for, by their positions among the events. */
  readonly aliases: ReadonlyMap<number, number>;
  /** Values and keys, with those that aliases repeat. */
  readonly nodes: number;
  /** Levels of lists and mappings. */
  readonly height: number;
  readonly hasAnchors: boolean;
}

/** Is told of each list in block style: the place of its first mark, the list, and the number of levels around it. */
export type OnList = (start: number, list: JsonValue[], level: number) => void;

/** Makes the data, and finds everything that two readers could understand differently, or that is too large. */
export function build(text: string, events: readonly Event[], onList?: OnList): Built {
  const building = new Building(text, events, onList);
  for (const [at, event] of events.entries()) {
    if (!building.add(event, at)) break;
  }
  return building;
}

class Building implements Built {
  data: JsonValue = null;
  nodes = 0;
  height = 0;
  readonly offences: Offence[] = [];
  readonly aliases = new Map<number, number>();
  readonly #text: string;
  readonly #events: readonly Event[];
  readonly #onList: OnList | undefined;
  readonly #frames: Frame[] = [];
  /** Aliases, and those that they repeat. */
  #repeated = 0;
  /** One whose node is not complete stands for nothing yet. */
  readonly #anchors = new Map<string, Anchored | undefined>();

  constructor(text: string, events: readonly Event[], onList: OnList | undefined) {
    this.#text = text;
    this.#events = events;
    this.#onList = onList;
  }

  get hasAnchors(): boolean {
    return this.#anchors.size > 0;
  }

  /** @returns false if the rest is not worth reading. */
  add(event: Event, at: number): boolean {
    if (event.type === EVENT_ID.POP) this.#close();
    else if (event.type !== EVENT_ID.DOCUMENT) {
      if (++this.nodes > mostNodes) return this.#giveUp(tooMany, event);
      if (event.type === EVENT_ID.ALIAS) return this.#alias(event, at);
      const end = missingSpace(this.#text, event);
      if (end !== undefined) this.#reportAt(noSpace, end);
      if (event.type === EVENT_ID.SCALAR) this.#scalar(event, at);
      else this.#open(event, at);
    }
    return this.offences.length < mostOffences;
  }

  #scalar(event: ScalarEvent, at: number): void {
    const frame = this.#frames.at(-1);
    const isKey = frame !== undefined && awaitsKey(frame);
    const read = isKey ? readKey(this.#text, event) : readScalar(this.#text, event);
    let value: JsonValue = null;
    if ("value" in read) value = read.value;
    else if (event.tagStart < 0) this.#report(read.problem, event);
    else this.#reportAt(read.problem, event.tagStart);
    if (event.anchorStart >= 0) this.#anchor(event, { at, value, size: single, height: 0 });
    if (isKey) this.#key(frame, String(value), event, at);
    else {
      const isOfBlock = frame?.event.style === COLLECTION_STYLE.BLOCK;
      if (isOfBlock && event.style === SCALAR_STYLE.PLAIN && event.valueStart >= 0) {
        const start = event.valueStart;
        if (isBehindOuterComment(this.#text, start)) this.#reportAt(outerComment, start);
      }
      this.#put(value, 0);
    }
  }

  #key(frame: Frame, key: string, event: ScalarEvent, at: number): void {
    if (key === "__proto__") this.#report("the key '__proto__' cannot be used", event);
    if (key === "<<" && event.style === SCALAR_STYLE.PLAIN) {
      this.#report("merge keys are not supported", event);
    }
    if (Object.hasOwn(frame.value, key)) {
      this.#report("a key stands twice in one mapping", event);
    }
    if (event.valueStart < 0) {
      this.#reportAt(
        'a key is missing; write the empty one as ""',
        markBefore(at, this.#events, this.#text),
      );
    } else if (frame.event.style === COLLECTION_STYLE.BLOCK) this.#checkColumn(frame, event);
    frame.key = key;
  }

  #open(event: SequenceEvent | MappingEvent, at: number): void {
    const frame = this.#frames.at(-1);
    if (frame !== undefined && awaitsKey(frame)) {
      this.#report("cannot be read as YAML: a key is not text", event);
    }
    const isList = event.type === EVENT_ID.SEQUENCE;
    if (event.tagStart >= 0) {
      const tag = this.#text.slice(event.tagStart, event.tagEnd);
      if (tag !== (isList ? "!!seq" : "!!map")) this.#reportAt(ownTag, event.tagStart);
    }
    if (event.anchorStart >= 0) this.#anchor(event, undefined);
    if (isList && event.style === COLLECTION_STYLE.BLOCK && !beginsBlock(this.#text, event.start)) {
      this.#reportAt(badIndentation, event.start);
    }
    const value = isList ? [] : Object.create(null);
    const before = { nodes: this.nodes - 1, aliases: this.#repeated };
    this.#frames.push({ event, at, value, before, key: undefined, column: undefined, height: 1 });
  }

  #close(): void {
    const frame = this.#frames.pop();
    // The end of the document itself.
    if (frame === undefined) return;
    const { event, at, value, before, height } = frame;
    const complete = value as JsonValue;
    if (Array.isArray(value) && event.style === COLLECTION_STYLE.BLOCK) {
      this.#onList?.(event.start, value, this.#frames.length);
    }
    if (event.anchorStart >= 0) {
      const size = {
        nodes: this.nodes - before.nodes,
        aliases: this.#repeated - before.aliases,
      };
      this.#anchor(event, { at, value: complete, size, height });
    }
    this.#put(complete, height);
  }

  #alias(event: AliasEvent, at: number): boolean {
    if (this.aliases.size >= mostAliases) return this.#giveUp(tooManyAliases, event);
    const name = this.#text.slice(event.anchorStart, event.anchorEnd);
    const anchored = this.#anchors.get(name);
    this.aliases.set(at, anchored?.at ?? at);
    const frame = this.#frames.at(-1);
    if (anchored === undefined) {
      const isOpen = this.#anchors.has(name);
      this.#report(isOpen ? "an alias stands in what it names" : noAnchor, event);
    } else if (frame !== undefined && awaitsKey(frame)) {
      this.#report("cannot be read as YAML: a key is not text", event);
    }
    const { value, size, height } = anchored ?? { value: null, size: single, height: 0 };
    this.nodes += size.nodes - 1;
    this.#repeated += size.aliases + 1;
    const isTooMuch = this.nodes > mostNodes || this.#repeated > mostAliases;
    if (isTooMuch || this.#frames.length + height > deepest) return this.#giveUp(tooMuch);
    this.#put(copyOf(value), height);
    return this.offences.length < mostOffences;
  }

  #anchor(event: ScalarEvent | SequenceEvent | MappingEvent, anchored: Anchored | undefined): void {
    const name = this.#text.slice(event.anchorStart, event.anchorEnd);
    if (!isAnchorName(name)) {
      this.#reportAt("the name of an anchor must have letters and digits only", event.anchorStart);
    }
    this.#anchors.set(name, anchored);
  }

  /** Puts a complete value where it belongs. */
  #put(value: JsonValue, height: number): void {
    const frame = this.#frames.at(-1);
    if (frame === undefined) {
      this.data = value;
      this.height = height;
    } else {
      frame.height = Math.max(frame.height, height + 1);
      if (Array.isArray(frame.value)) frame.value.push(value);
      // A key that is no text has been reported, and any name does for it.
      else if (frame.key === undefined) frame.key = "";
      else {
        frame.value[frame.key] = value;
        frame.key = undefined;
      }
    }
  }

  /**
   * All keys of a block must stand in one column. The parser takes what stands
   * behind an item of a list as a key of the mapping around it. A key behind
   * `?` has a column of its own, and readers differ about where it ends.
   */
  #checkColumn(frame: Frame, key: ScalarEvent): void {
    const offset = startWithProperties(key, this.#text);
    const column = columnOf(this.#text, offset);
    const isFirst = frame.column === undefined && offset === frame.event.start;
    const isInPlace = isFirst ? beginsBlock(this.#text, offset) : frame.column === column;
    if (!isInPlace) this.#reportAt(badIndentation, offset);
    frame.column ??= column;
  }

  #report(problem: string, event: Event): void {
    this.#reportAt(problem, startOf(event, this.#text));
  }

  #reportAt(problem: string, offset: number | undefined): void {
    if (this.offences.length < mostOffences) this.offences.push({ problem, offset });
  }

  /** Nothing else is told: it would be a part of what is wrong. */
  #giveUp(problem: string, event?: Event): false {
    const offset = event === undefined ? undefined : startOf(event, this.#text);
    this.offences.splice(0, mostOffences, { problem, offset });
    return false;
  }
}
