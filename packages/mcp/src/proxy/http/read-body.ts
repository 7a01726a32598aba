import type { IncomingMessage } from "node:http";
import { Chunks } from "../chunks.js";
import type { HeldBytes } from "./body-room.js";

/** Reads a body of at most so many bytes; `undefined` if it is longer. @throws NoRoomError if there is no room for it. */
export async function readBody(
  stream: IncomingMessage,
  maxBytes: number,
  held: HeldBytes,
): Promise<Buffer | undefined> {
  const chunks = new Chunks();
  try {
    // A sender of too much is still answered.
    for await (const chunk of stream.iterator({
      destroyOnReturn: false,
    }) as AsyncIterable<Buffer>) {
      held(chunks.length + chunk.length);
      chunks.add(chunk);
      if (chunks.length > maxBytes) return undefined;
    }
    return chunks.take();
  } finally {
    held(0);
  }
}
