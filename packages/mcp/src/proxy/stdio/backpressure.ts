import type { Readable, Writable } from "node:stream";

/**
 * Pauses a source while any of the sinks that it fills is full.
 *
 * @returns a function to call after each write.
 */
export function pauseWhileFull(source: Readable, sinks: readonly Writable[]): () => void {
  const check = (): void => {
    const isFull = sinks.some((sink) => sink.writableNeedDrain && !sink.destroyed);
    if (isFull) source.pause();
    else if (source.isPaused()) source.resume();
  };
  for (const sink of sinks) sink.on("drain", check).on("close", check);
  return check;
}
