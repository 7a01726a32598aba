import { quoted } from "@toolstile/core/provider";

/** Keys and list positions from the root of a file. */
export type Path = readonly (string | number)[];

/** A place in a text. Both numbers start at 1. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/** Finds where the value at a path stands in the file. */
export type Locate = (path: Path) => Position | undefined;

/** `agents.support.guards[0]`; a key that is not a plain word is quoted. */
export function pathText(path: Path): string {
  let text = "";
  for (const step of path) {
    if (typeof step === "number") text += `[${step}]`;
    else if (!/^[\w$-]{1,64}$/.test(step)) text += `[${quoted(step)}]`;
    else text += text === "" ? step : `.${step}`;
  }
  return text;
}
