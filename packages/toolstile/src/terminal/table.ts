import type { Paint } from "./terminal.js";

export interface Column {
  readonly title: string;
  readonly align: "left" | "right";
}

export function leftColumn(title: string): Column {
  return { title, align: "left" };
}

export interface Row {
  /** As many as there are columns; an empty one says nothing. */
  readonly cells: readonly string[];
  readonly paint?: Paint | undefined;
}

const longestLastRule = 60;

/** Lines of text with the columns under each other, each as wide as its widest cell. */
export function table(columns: readonly Column[], rows: readonly Row[]): string {
  const titles: Row = { cells: columns.map(({ title }) => title) };
  const widths = columns.map((_, index) =>
    [titles, ...rows].reduce((widest, { cells }) => Math.max(widest, width(cells[index] ?? "")), 0),
  );
  const line = ({ cells, paint }: Row): string => {
    const padded = columns.map(({ align }, index) => {
      const cell = cells[index] ?? "";
      const gap = " ".repeat((widths[index] as number) - width(cell));
      return align === "left" ? cell + gap : gap + cell;
    });
    const text = padded.join("  ").trimEnd();
    return `${paint === undefined ? text : paint(text)}\n`;
  };
  // Sentences in the last column may be longer than any terminal is wide.
  const ruled = widths.map((each, index) =>
    index === widths.length - 1 ? Math.min(each, longestLastRule) : each,
  );
  const rule = `${ruled.map((each) => "─".repeat(each)).join("  ")}\n`;
  return line(titles) + rule + rows.map(line).join("");
}

/** In code points: file names are mostly as wide as they are long. */
function width(text: string): number {
  return Array.from(text).length;
}
