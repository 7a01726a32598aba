import type { Writable } from "node:stream";
import type { TextStream } from "./terminal.js";

/**
 * A stream of the process, which may break at any time: the disk is full, or
 * the reader has seen enough, as in `toolstile … | head`.
 *
 * The writer goes on, and later text is dropped: a command that holds files and
 * locks must come to its end.
 */
export function outlet(
  stream: Writable & { readonly isTTY?: boolean },
  broke: (error: NodeJS.ErrnoException) => void,
): TextStream {
  let isBroken = false;
  const fail = (error: NodeJS.ErrnoException): void => {
    if (isBroken) return;
    isBroken = true;
    broke(error);
  };
  stream.on("error", fail);
  return {
    isTTY: stream.isTTY,
    write(text) {
      if (isBroken) return;
      try {
        stream.write(text);
      } catch (error) {
        fail(error as NodeJS.ErrnoException);
      }
    },
  };
}
