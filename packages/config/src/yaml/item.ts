import type { JsonValue } from "@toolstile/core";
import { COLLECTION_STYLE, EVENT_ID } from "js-yaml";
import { build, type Offence } from "./build.js";
import type { Path } from "./path.js";
import { Places } from "./places.js";
import { readSyntax } from "./syntax.js";

/** An item of a block list that was read by itself. */
export interface Item {
  readonly data: JsonValue;
  /** The offset of its value in its own text. */
  readonly start: number;
  /** Values and keys. */
  readonly nodes: number;
  /** Levels of lists and mappings. */
  readonly height: number;
  readonly hasAnchors: boolean;
}

/** Returns the fault of a text that is not an item; nothing, if the text only looks like one. */
export interface NoItem {
  readonly offences: readonly Offence[];
}

const unusual: NoItem = { offences: [] };

/**
 * Reads the text of one item of a block list, from the beginning of its line.
 *
 * A list is its items in a row, each of which begins at the same column and
 * has only lines that stand deeper, are empty or are comments. So an item
 * that is a list of one by itself is the same among others.
 */
export function readItem(own: string, indent: number): Item | NoItem {
  const text = inLine(own);
  const syntax = readSyntax(text);
  if ("refused" in syntax)
    return { offences: [{ problem: syntax.refused, offset: syntax.offset - 1 }] };
  const { events, second } = syntax;
  const [list] = events;
  const isList = list?.type === EVENT_ID.SEQUENCE && list.style === COLLECTION_STYLE.BLOCK;
  if (!isList || second !== undefined || list.start !== indent + 1) return unusual;
  const built = build(text, events);
  if (built.offences.length > 0) {
    return {
      offences: built.offences.map(({ problem, offset = 1 }) => ({ problem, offset: offset - 1 })),
    };
  }
  const [data, ...others] = built.data as readonly JsonValue[];
  if (data === undefined || others.length > 0) return unusual;
  const places = new Places(text, events, built.aliases);
  return {
    data,
    start: (places.offsetOf([0]) ?? 1) - 1,
    nodes: built.nodes - 1,
    height: built.height - 1,
    hasAnchors: built.hasAnchors,
  };
}

/** The places of values in an item, for which it is read once more: few items are asked for any. */
export class ItemPlaces {
  readonly own: string;
  readonly #places: Places | undefined;

  constructor(own: string) {
    const text = inLine(own);
    const syntax = readSyntax(text);
    this.own = own;
    if ("refused" in syntax) return;
    const { aliases } = build(text, syntax.events);
    this.#places = new Places(text, syntax.events, aliases);
  }

  /** The offset of the value at a path in the item. */
  startOf(path: Path): number | undefined {
    const offset = this.#places?.offsetOf([0, ...path]);
    return offset === undefined ? undefined : offset - 1;
  }
}

/** The parser does not count the spaces of a first line. */
function inLine(own: string): string {
  return `\n${own}`;
}
