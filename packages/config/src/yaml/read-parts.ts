import type { JsonValue } from "@toolstile/core";
import { build, type Offence } from "./build.js";
import { type Item, ItemPlaces, type NoItem, readItem } from "./item.js";
import { Lines } from "./lines.js";
import type { Locate, Path, Position } from "./path.js";
import { Places } from "./places.js";
import { deepest, mostNodes } from "./plain-json.js";
import {
  isTooLarge,
  readYaml,
  secondDocument,
  type YamlFault,
  type YamlReading,
} from "./read-yaml.js";
import type { Slices } from "./slices.js";
import { blockLists, Rest } from "./split.js";
import { readSyntax } from "./syntax.js";

/** Values and keys of one file. The rest of it, and each item, are bounded by themselves as well. */
const mostInAll = 200_000;
/** Items that are read by themselves, which takes some microseconds for each, however short it is. */
const mostItems = 20_000;

const tooManyInAll = `it has more than ${mostInAll} values and keys`;
const tooManyItems = `it has more than ${mostItems} items in its lists`;
const noAnchors = `anchors and aliases can stand in files of at most ${mostNodes} values and keys`;

/** The items of lists by their own texts. */
export type Items = ReadonlyMap<string, Item>;

export interface PartsReading extends YamlReading {
  /** Those that were read by themselves, for the next reading. */
  readonly items: Items;
}

/**
 * Reads as `readYaml` does, each item of the outermost block lists by itself.
 *
 * Others have their turn in between, and an item whose text is known is not
 * read again: its data is the same object. Whatever cannot be read in this way
 * is read as a whole, so that the same texts are refused for the same reasons.
 * A file whose lists are long may be larger than others.
 *
 * @param known The items of an earlier reading.
 */
export async function readYamlInParts(
  text: string,
  slices: Slices,
  known: Items = new Map(),
): Promise<PartsReading> {
  const parts = new Parts(text);
  const isRead = await parts.read(slices, known);
  const { data, items } = parts;
  const locate: Locate = (path) => parts.locate(path);
  if (isRead) return { data, faults: [], locate, items };
  const whole = readYaml(text);
  // What is wrong with one part says more than that there are many.
  const faults = isTooLarge(whole) && parts.faults.length > 0 ? parts.faults : whole.faults;
  return { ...whole, faults, items: new Map() };
}

/** A list whose items are read by themselves. */
interface List {
  readonly bounds: readonly number[];
  readonly items: readonly Item[];
}

class Parts {
  data: JsonValue = null;
  readonly items = new Map<string, Item>();
  readonly #text: string;
  readonly #lines: Lines;
  readonly #rest: Rest;
  readonly #lists = new Map<unknown, List>();
  readonly #offences: Offence[] = [];
  #places: Places | undefined;
  #lastItem: ItemPlaces | undefined;
  #nodes = 0;

  constructor(text: string) {
    this.#text = text;
    this.#lines = new Lines(text);
    this.#rest = new Rest(text, blockLists(text));
  }

  get faults(): readonly YamlFault[] {
    return this.#offences.map(({ problem, offset }) => {
      const position = offset === undefined ? undefined : this.#lines.at(offset);
      return { message: problem, path: [], position };
    });
  }

  /** @returns false if something is wrong with a part, or if it is none. */
  async read(slices: Slices, known: Items): Promise<boolean> {
    const { lists } = this.#rest;
    const items = lists.reduce((sum, { bounds }) => sum + bounds.length - 1, 0);
    if (items > mostItems) {
      this.#report(tooManyItems, undefined);
      return false;
    }
    const found = this.#readRest();
    for (const { bounds, indent, start } of lists) {
      const { values, level } = found.get(start + indent) ?? {};
      // It may be the lines of a text. Of a list, the rest has the first item.
      if (values?.length !== 1 || level === undefined) return false;
      values.pop();
      const items: Item[] = [];
      this.#lists.set(values, { bounds, items });
      for (const [index, from] of bounds.slice(0, -1).entries()) {
        if (slices.isOver) await slices.pause();
        const own = this.#text.slice(from, bounds[index + 1]);
        const item = known.get(own) ?? readItem(own, indent);
        if (!this.#take(item, from, level)) return false;
        this.items.set(own, item as Item);
        items.push(item as Item);
        values.push((item as Item).data);
      }
    }
    return this.#offences.length === 0;
  }

  /** Everything but the lists, of which it has the first items. */
  #readRest(): ReadonlyMap<number, { readonly values: JsonValue[]; readonly level: number }> {
    const found = new Map<number, { readonly values: JsonValue[]; readonly level: number }>();
    const { text } = this.#rest;
    const syntax = readSyntax(text);
    if ("refused" in syntax) this.#report(syntax.refused, syntax.offset);
    else {
      const built = build(text, syntax.events, (start, values, level) => {
        found.set(start, { values, level });
      });
      this.data = built.data;
      this.#places = new Places(text, syntax.events, built.aliases);
      this.#nodes = built.nodes;
      for (const { problem, offset } of built.offences) this.#report(problem, offset);
      if (built.hasAnchors) this.#report(noAnchors, undefined);
      if (syntax.second !== undefined) this.#report(secondDocument, syntax.second);
    }
    return found;
  }

  #report(problem: string, offset: number | undefined): void {
    const place = offset === undefined ? undefined : this.#rest.offsetInText(offset);
    this.#offences.push({ problem, offset: place });
  }

  /** @returns false if it is the last that is worth reading. */
  #take(item: Item | NoItem, from: number, level: number): item is Item {
    if ("offences" in item) {
      for (const { problem, offset = 0 } of item.offences) {
        this.#offences.push({ problem, offset: from + offset });
      }
      return false;
    }
    this.#nodes += item.nodes;
    if (item.hasAnchors) this.#offences.push({ problem: noAnchors, offset: from });
    if (this.#nodes > mostInAll) this.#offences.push({ problem: tooManyInAll, offset: from });
    return this.#offences.length === 0 && level + 1 + item.height <= deepest;
  }

  locate(path: Path): Position | undefined {
    const offset = this.#offsetOf(path);
    return offset === undefined ? undefined : this.#lines.at(offset);
  }

  #offsetOf(path: Path): number | undefined {
    let value: unknown = this.data;
    for (const [depth, step] of path.entries()) {
      const { bounds, items } = this.#lists.get(value) ?? {};
      const item = items?.[step as number];
      if (bounds !== undefined && item !== undefined) {
        const from = bounds[step as number] as number;
        const own = this.#text.slice(from, bounds[(step as number) + 1]);
        return from + this.#startInItem(item, own, path.slice(depth + 1));
      }
      value = Object(value)[step];
    }
    const offset = this.#places?.offsetOf(path);
    return offset === undefined ? undefined : this.#rest.offsetInText(offset);
  }

  /** A caller that asks for one place in an item mostly asks for all that it has. */
  #startInItem({ start }: Item, own: string, path: Path): number {
    if (path.length === 0) return start;
    if (this.#lastItem?.own !== own) this.#lastItem = new ItemPlaces(own);
    return this.#lastItem.startOf(path) ?? start;
  }
}
