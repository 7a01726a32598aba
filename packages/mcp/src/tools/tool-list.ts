import type { ToolDefinition } from "@toolstile/core";
import { ownValue } from "@toolstile/core/provider";
import type { ListedPage } from "./listed-page.js";
import { type ListedTool, toolOf, withoutTwins } from "./listed-tool.js";
import { digestOf, Shared } from "./shared.js";

/** An entry of a list, and the tool that it is. */
interface Entry {
  readonly entry: unknown;
  readonly tool: ListedTool | undefined;
}

/**
 * A server's whole list of tools. Nothing in it changes.
 *
 * It is one object for all connections that were given the same tools, in
 * whatever order and on whatever pages, and it goes with the last of them.
 */
export class ToolList {
  /** The number of entries that are no tools. */
  readonly unreadable: number;
  readonly tools: readonly ListedTool[];
  readonly byName: ReadonlyMap<string, ListedTool>;
  /** The tools whose name is not listed twice. */
  readonly untwinned: readonly ListedTool[];
  /** The tools as core has them: one frozen list, which it takes on once for all runners with the same guards. */
  readonly definitions: readonly ToolDefinition[];
  /** The same with the entries that are no tools. */
  readonly all: readonly ToolDefinition[];
  /** The pages that it was read from, which are found by their content as long as they are held. */
  readonly pages: readonly ListedPage[];

  private constructor(pages: readonly ListedPage[], entries: readonly Entry[]) {
    this.pages = pages;
    this.tools = toolsOf(entries);
    this.unreadable = entries.length - this.tools.length;
    this.byName = new Map(this.tools.map((tool) => [tool.name, tool]));
    this.untwinned = withoutTwins(this.tools);
    this.definitions = Object.freeze(this.tools.map(({ definition }) => toolOf(definition)));
    this.all =
      this.unreadable === 0
        ? this.definitions
        : Object.freeze(entries.map(({ entry }) => toolOf(Object(entry))));
  }

  static readonly none = new ToolList([], []);

  /** The list of these pages. */
  static of(pages: readonly ListedPage[], digestBy = digestOf): ToolList {
    const [page, ...others] = pages;
    if (page === undefined) return ToolList.none;
    const known = others.length === 0 ? ofOnePage.get(page) : undefined;
    if (known !== undefined) return known;
    const list = ToolList.#same(new ToolList(pages, merged(pages)), digestBy);
    if (others.length === 0) ofOnePage.set(page, list);
    return list;
  }

  /** The list that others hold already, if it has the same tools. */
  static #same(list: ToolList, digestBy: typeof digestOf): ToolList {
    // What cannot be read cannot be compared.
    if (list.unreadable > 0) return list;
    const texts = sortedTexts(list);
    const digest = digestBy(...texts.flatMap((text) => [text, "\n"]));
    const known = lists.find(digest);
    if (known !== undefined) {
      const others = sortedTexts(known);
      const isSame = (text: string, index: number): boolean => text === others[index];
      if (texts.length === others.length && texts.every(isSame)) return known;
    }
    lists.add(digest, list);
    return list;
  }
}

const lists = new Shared<ToolList>();
const ofOnePage = new WeakMap<ListedPage, ToolList>();

function toolsOf(entries: readonly Entry[]): readonly ListedTool[] {
  return entries.flatMap(({ tool }) => tool ?? []);
}

/** The texts of all tools, in an order that is not the server's. */
function sortedTexts({ tools }: ToolList): readonly string[] {
  return tools.map(({ text }) => text).sort();
}

/** All entries. Pages that overlap list one again, word for word: it is there once. */
function merged(pages: readonly ListedPage[]): readonly Entry[] {
  const first = new Map<unknown, { readonly entry: unknown; text?: string }>();
  const all = pages.flatMap(({ entries, tools }) =>
    entries.map((entry, index) => ({ entry, tool: tools[index] })),
  );
  return all.filter(({ entry }) => {
    const name = ownValue(entry, "name");
    const known = first.get(name);
    if (known === undefined) {
      first.set(name, { entry });
      return true;
    }
    // Kept: one long definition may come before many of its name.
    known.text ??= JSON.stringify(known.entry);
    return known.text !== JSON.stringify(entry);
  });
}
