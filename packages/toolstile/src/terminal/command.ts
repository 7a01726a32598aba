import type { Terminal } from "./terminal.js";

/** A command of `toolstile`. */
export interface Command {
  /**
   * Runs the command, and returns the exit code.
   *
   * @throws UsageError for arguments that it does not know.
   */
  readonly run: (argv: readonly string[], terminal: Terminal) => Promise<number>;
}

/** The exit codes of every command. `broken` means that something could not be read, or is not as it should be. */
export const exitCodes = { ok: 0, broken: 1, usage: 2 } as const;
