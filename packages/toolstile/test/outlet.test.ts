import { EventEmitter } from "node:events";
import type { Writable } from "node:stream";
import { describe, expect, it } from "vitest";
import { outlet } from "../src/terminal/outlet.js";

const broken = Object.assign(new Error("write EPIPE"), { code: "EPIPE" });

/** A stream that takes one text; from then on it fails. */
class Pipe extends EventEmitter {
  readonly taken: string[] = [];
  readonly #fail: (pipe: Pipe) => void;

  constructor(fail: (pipe: Pipe) => void) {
    super();
    this.#fail = fail;
  }

  write(text: string): boolean {
    this.taken.push(text);
    if (this.taken.length > 1) this.#fail(this);
    return true;
  }
}

describe("outlet", () => {
  it.each<[string, (pipe: Pipe) => void]>([
    ["breaks", (pipe) => pipe.emit("error", broken)],
    [
      "throws",
      () => {
        throw broken;
      },
    ],
  ])("goes on when its stream %s, writes no more to it, and tells once", (_, fail) => {
    const pipe = new Pipe(fail);
    const failures: unknown[] = [];
    const stream = outlet(pipe as unknown as Writable, ({ code }) => failures.push(code));
    for (const text of ["one", "two", "three", "four"]) stream.write(text);
    expect(pipe.taken).toEqual(["one", "two"]);
    expect(pipe.emit("error", broken)).toBe(true);
    expect(failures).toEqual(["EPIPE"]);
  });
});
