import type { Readable, Writable } from "node:stream";

/** Pauses a source for as long as any of the sinks that it fills has more than it can take. */
export class Gate {
  readonly #source: Readable;
  readonly #sinks: readonly Writable[];

  constructor(source: Readable, sinks: readonly Writable[]) {
    this.#source = source;
    this.#sinks = sinks;
    for (const sink of sinks) {
      sink.on("drain", this.check);
      sink.on("close", this.check);
    }
  }

  readonly check = (): void => {
    const isFull = this.#sinks.some((sink) => sink.writableNeedDrain && !sink.destroyed);
    if (isFull) this.#source.pause();
    else if (this.#source.isPaused()) this.#source.resume();
  };
}
