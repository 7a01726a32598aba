import type { Writable } from "node:stream";
import type { TypedInput } from "../terminal/confirm.js";

/** The parts of its process that the command uses. */
export interface ProxyHost {
  /** The stream of the client's messages, or of what is typed. */
  readonly input: () => TypedInput;
  /** The stream that the client reads. */
  readonly output: () => Writable;
  /** Calls back for each signal that this process is sent. Returns a function that stops it. */
  readonly onSignal: (heard: (signal: NodeJS.Signals) => void) => () => void;
}
