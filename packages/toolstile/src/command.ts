import type { Terminal } from "./terminal.js";

/** One of the things that `toolstile` does. */
export interface Command {
  readonly name: string;
  /** One line for the list of commands. */
  readonly summary: string;
  /** What `toolstile NAME --help` prints. */
  readonly help: string;
  /**
   * Does it, and gives the exit code.
   *
   * @throws UsageError when it was called in a way it does not know.
   */
  readonly run: (argv: readonly string[], terminal: Terminal) => Promise<number>;
}

/** Exit codes of every command. `broken` is: something could not be read, or is not as it should be. */
export const exitCodes = { ok: 0, broken: 1, usage: 2 } as const;
