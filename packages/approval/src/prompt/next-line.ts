import { createInterface } from "node:readline";
import type { Readable } from "node:stream";

/** Throws away what was typed already. */
export async function pastTyping(input: Readable): Promise<void> {
  const forget = (): void => {};
  input.on("data", forget);
  input.resume();
  // What the system holds arrives in the next turn of the loop, and leaves in the one after.
  for (let turn = 0; turn < 3; turn++) await new Promise((resolve) => setImmediate(resolve));
  input.pause();
  input.off("data", forget);
}

/** The next line, or nothing at the end of the input and when the signal aborts. */
export async function nextLine(input: Readable, signal: AbortSignal): Promise<string | undefined> {
  if (input.readableEnded || input.destroyed || signal.aborted) return undefined;
  const lines = createInterface({ input, terminal: false, signal });
  try {
    return await new Promise((resolve) => {
      lines.once("line", resolve);
      lines.once("close", () => resolve(undefined));
    });
  } finally {
    lines.close();
  }
}
