import type { Terminal } from "../src/terminal/terminal.js";

/** A terminal that remembers what was written to it. */
export interface CapturedTerminal extends Terminal {
  readonly written: () => { readonly out: string; readonly err: string };
}

export interface CapturedTerminalOptions {
  readonly isTTY?: boolean;
  readonly environment?: Readonly<Record<string, string>>;
  /** Milliseconds between two looks at the clock. */
  readonly tick?: number;
  /** Told of each text that is written to `err`. */
  readonly onError?: (text: string) => void;
}

export function capturedTerminal(options: CapturedTerminalOptions = {}): CapturedTerminal {
  const { isTTY = false, environment = {}, tick = 1, onError } = options;
  let time = 0;
  let out = "";
  let err = "";
  return {
    out: {
      isTTY,
      write: (text) => {
        out += text;
      },
    },
    err: {
      isTTY,
      write: (text) => {
        err += text;
        onError?.(text);
      },
    },
    environment,
    now: () => {
      time += tick;
      return time;
    },
    written: () => ({ out, err }),
  };
}
