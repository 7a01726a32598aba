/** A list of a text in block style, of which each item begins a line of its own. */
export interface BlockList {
  /** Spaces before each item. */
  readonly indent: number;
  /** The offsets where its items begin, and where the last one ends. */
  readonly bounds: readonly number[];
}

/**
 * The outermost lists in block style, as far as lines can tell.
 *
 * What looks like one may stand in a text: those who use it find out.
 */
export function blockLists(text: string): readonly BlockList[] {
  const lists: BlockList[] = [];
  let bounds: number[] = [];
  let indent = -1;
  const end = (at: number): void => {
    if (bounds.length > 0) lists.push({ indent, bounds: [...bounds, at] });
    bounds = [];
    indent = -1;
  };
  for (let start = 0; start < text.length; ) {
    let first = start;
    while (text.charCodeAt(first) === space) first++;
    const column = first - start;
    const sign = text.charCodeAt(first);
    const isWithin = indent >= 0 && column > indent;
    // An empty line and a comment belong to what stands before them, also behind a tab.
    // Anything else behind a tab is refused: tabs do not indent.
    if (!isWithin && !endsLine(sign) && sign !== hash && sign !== tab) {
      const isItem = sign === dash && isSpace(text.charCodeAt(first + 1));
      if (!isItem || column !== indent) end(start);
      if (isItem) {
        bounds.push(start);
        indent = column;
      }
    }
    const next = text.indexOf("\n", first);
    start = next < 0 ? text.length : next + 1;
  }
  end(text.length);
  return lists;
}

/** A text without the items of its lists, apart from the first of each. */
export class Rest {
  readonly text: string;
  /** The lists, each with the place of its first item in the rest. */
  readonly lists: readonly (BlockList & { readonly start: number })[];
  /** The places where something was left out, with the number to add from there on. */
  readonly #gaps: { readonly at: number; readonly left: number }[] = [];

  constructor(text: string, lists: readonly BlockList[]) {
    const kept: string[] = [];
    let left = 0;
    let end = 0;
    this.lists = lists.map((list) => {
      const [start = 0, second = 0] = list.bounds;
      kept.push(text.slice(end, second));
      end = list.bounds.at(-1) ?? second;
      const startInRest = start - left;
      left += end - second;
      this.#gaps.push({ at: end - left, left });
      return { ...list, start: startInRest };
    });
    this.text = kept.join("") + text.slice(end);
  }

  offsetInText(offset: number): number {
    return offset + (this.#gaps.findLast(({ at }) => at <= offset)?.left ?? 0);
  }
}

const space = 0x20;
const tab = 0x09;
const dash = 0x2d;
const hash = 0x23;

/** Also where the text ends. */
function endsLine(code: number): boolean {
  return code === 0x0a || code === 0x0d || Number.isNaN(code);
}

function isSpace(code: number): boolean {
  return code === space || endsLine(code);
}
