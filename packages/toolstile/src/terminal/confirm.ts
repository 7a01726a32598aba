import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { UsageError } from "./command-line.js";
import type { TextStream } from "./terminal.js";

/** The stream that a human types at. */
export type TypedInput = Readable & { readonly isTTY?: boolean | undefined };

export interface Confirmation {
  readonly input: TypedInput;
  readonly err: TextStream;
  /** The command's word for what is confirmed: `approve`. */
  readonly action: string;
  /** Gives the question, and the words that confirm it. It is asked only at a terminal. */
  readonly ask: () => Promise<{ readonly question: string; readonly words: readonly string[] }>;
}

/**
 * Ask at the terminal, and return true if one of the words was typed.
 *
 * @throws UsageError if there is no terminal.
 */
export async function confirmed({ input, err, action, ask }: Confirmation): Promise<boolean> {
  if (input.isTTY !== true) {
    throw new UsageError(
      `A terminal is needed to ask at, and there is none. Pass --yes to ${action}.`,
    );
  }
  const { question, words } = await ask();
  err.write(`${question} `);
  const lines = createInterface({ input, terminal: false });
  try {
    const line = await new Promise<string>((resolve) => {
      lines.once("line", resolve);
      lines.once("close", () => resolve(""));
    });
    return words.includes(line.trim().toLowerCase());
  } finally {
    lines.close();
  }
}
