const mostPages = 1_000;
export const mostTools = 10_000;
/** In UTF-16 code units of its JSON: all of it is held at once. */
const longestList = 32 * 1_024 * 1_024;

/** A server's list of tools, put together from its pages: no longer than can be held. */
export class ToolPages {
  readonly tools: unknown[] = [];
  #pages = 0;
  #left = longestList;

  /**
   * Take a page, and say where the next one begins; nothing after the last.
   *
   * @throws RangeError where the list is too long, or has no end.
   */
  add(page: readonly unknown[], nextCursor: unknown): unknown {
    this.#left -= JSON.stringify(page).length;
    if (this.#left < 0) throw new RangeError("The server's list of tools is too long.");
    // A page may have more than a call can spread.
    for (const tool of page) this.tools.push(tool);
    if (this.tools.length > mostTools) throw new RangeError("The server lists too many tools.");
    const next = nextCursor ?? undefined;
    if (++this.#pages < mostPages || next === undefined) return next;
    throw new RangeError("The server's list of tools has no end.");
  }
}
