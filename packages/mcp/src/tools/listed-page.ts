import { ToolstileError } from "@toolstile/core";
import { type ListedTool, readTool } from "./listed-tool.js";
import { digestOf, Shared } from "./shared.js";

export const mostTools = 10_000;
/** UTF-16 code units of a list's JSON and its cursors, all of which is held at once. */
export const longestList = 32 * 1_024 * 1_024;

/**
 * The tools on one page of a server's list, as they were listed.
 *
 * It is read once for all who are given the same page, and nothing in it changes.
 */
export class ListedPage {
  readonly text: string;
  /** The entries as JSON, tools or not. */
  readonly entries: readonly unknown[];
  /** The tools, in the place of their entries; `undefined` for one that cannot be read. */
  readonly tools: readonly (ListedTool | undefined)[];

  private constructor(text: string) {
    this.text = text;
    this.entries = Object.freeze(JSON.parse(text) as unknown[]);
    this.tools = Object.freeze(this.entries.map(readTool));
  }

  /** @throws ToolstileError for what is no list, or too long; and what JSON.stringify throws. */
  static of(given: unknown, digestBy = digestOf): ListedPage {
    const known = byEntries.get(Object(given));
    if (known !== undefined) return known;
    if (!Array.isArray(given)) throw refusedList("The server's `tools` must be a list.");
    if (given.length > mostTools) throw refusedList("The server lists too many tools.");
    const text = JSON.stringify(given);
    if (text.length > longestList) throw refusedList("The server's list of tools is too long.");
    const digest = digestBy(text);
    const same = pages.find(digest);
    if (same?.text === text) return same;
    const page = new ListedPage(text);
    pages.add(digest, page);
    byEntries.set(page.entries, page);
    return page;
  }
}

const pages = new Shared<ListedPage>();
/** The pages by their own entries, which are frozen. */
const byEntries = new WeakMap<object, ListedPage>();

export function refusedList(message: string): ToolstileError {
  return new ToolstileError("ERR_INVALID_TOOL", message);
}
