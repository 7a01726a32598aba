import type { Readable, Writable } from "node:stream";

/** What the command takes of the process that runs it. */
export interface Surroundings {
  /** The client's messages, or what is typed. */
  readonly input: () => Readable & { readonly isTTY?: boolean | undefined };
  /** Where the client reads. */
  readonly output: () => Writable;
  /** Hear of the signals that this process is sent; what is returned stops it. */
  readonly onSignal: (heard: (signal: NodeJS.Signals) => void) => () => void;
}
