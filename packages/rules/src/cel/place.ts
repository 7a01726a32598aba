/** A place in the text of an expression, counted from 1. */
export interface ExpressionPlace {
  readonly line: number;
  readonly column: number;
}

/** Finds the line and the column of an offset. Without one, it is the beginning. */
export function placeIn(text: string, offset = 0): ExpressionPlace {
  const before = text.slice(0, offset).split(/\r\n|\r|\n/);
  return { line: before.length, column: (before.at(-1) as string).length + 1 };
}

export function spoken({ line, column }: ExpressionPlace): string {
  return `line ${line}, column ${column}`;
}
