import { ListedPage, longestList, mostTools, refusedList } from "./listed-page.js";
import { ToolList } from "./tool-list.js";

const mostPages = 1_000;

/** A server's list of tools, put together from its pages, of bounded size. */
export class ToolPages {
  readonly #pages: ListedPage[] = [];
  readonly #cursors = new Set<string>();
  #count = 0;
  #left = longestList;

  /**
   * Take the `tools` and the `nextCursor` of a page. Returns the cursor of the next one; `undefined` after the last.
   *
   * An empty cursor, and one that came before, end the list: there are servers
   * that give one with their last page, too.
   *
   * @throws ToolstileError if it is not a page, or if the list is too long or has no end.
   */
  add(tools: unknown, nextCursor: unknown): string | undefined {
    const page = ListedPage.of(tools);
    this.#pages.push(page);
    this.#count += page.entries.length;
    if (this.#count > mostTools) throw refusedList("The server lists too many tools.");
    this.#hold(page.text);
    const next = nextCursor ?? "";
    if (typeof next !== "string") throw refusedList("The server's `nextCursor` must be a string.");
    if (next === "" || this.#cursors.has(next)) return undefined;
    this.#hold(next);
    this.#cursors.add(next);
    if (this.#cursors.size < mostPages) return next;
    throw refusedList("The server's list of tools has no end.");
  }

  #hold(text: string): void {
    this.#left -= text.length;
    if (this.#left < 0) throw refusedList("The server's list of tools is too long.");
  }

  /** The list of all pages. */
  get list(): ToolList {
    return ToolList.of(this.#pages);
  }
}
