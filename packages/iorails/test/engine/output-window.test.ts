import { array, assert, constant, integer, property, record, string } from "fast-check";
import { describe, expect, it } from "vitest";
import { type Batch, outputWindow } from "../../src/engine/output-window.js";

interface Sizes {
  readonly chunkSize: number;
  readonly contextSize: number;
}

function batches(deltas: readonly string[], sizes: Sizes): Batch[] {
  const window = outputWindow(sizes);
  const pushed = deltas.map((delta) => window.push(delta));
  return [...pushed, window.end()].filter((batch) => batch !== undefined);
}

const sizes = record({
  chunkSize: integer({ min: 1, max: 8 }),
  contextSize: integer({ min: 0, max: 10 }),
});
const streams = array(string({ maxLength: 4 }), { maxLength: 60 });

describe("outputWindow", () => {
  it.each<[string, Sizes, string, string[], string[]]>([
    [
      "IO-130 judges the end of a stream once",
      { chunkSize: 3, contextSize: 1 },
      "abcdefg",
      ["abc", "cde", "efg"],
      ["abc", "de", "fg"],
    ],
    [
      "IO-128 judges each delta once without context",
      { chunkSize: 3, contextSize: 0 },
      "abcdefg",
      ["abc", "def", "g"],
      ["abc", "def", "g"],
    ],
    [
      "judges what is left with its context",
      { chunkSize: 3, contextSize: 1 },
      "abcdef",
      ["abc", "cde", "ef"],
      ["abc", "de", "f"],
    ],
    [
      "judges a stream shorter than a chunk at its end",
      { chunkSize: 200, contextSize: 50 },
      "ab",
      ["ab"],
      ["ab"],
    ],
    [
      "takes one fresh delta at a time where the context leaves no room",
      { chunkSize: 2, contextSize: 3 },
      "abcde",
      ["ab", "abc", "abcd", "bcde"],
      ["ab", "c", "d", "e"],
    ],
  ])("%s", (_, given, stream, contexts, fresh) => {
    const cut = batches([...stream], given);
    expect(cut.map(({ context }) => context)).toEqual(contexts);
    expect(cut.map((batch) => batch.fresh.join(""))).toEqual(fresh);
  });

  it("gives no batch for a stream without text", () => {
    expect(batches([], { chunkSize: 3, contextSize: 1 })).toEqual([]);
  });

  it("gives every delta as fresh exactly once and in order", () => {
    assert(
      property(streams, sizes, (deltas, given) => {
        expect(batches(deltas, given).flatMap(({ fresh }) => fresh)).toEqual(deltas);
      }),
    );
  });

  it("never gives a batch without a fresh delta", () => {
    assert(
      property(streams, sizes, (deltas, given) => {
        expect(batches(deltas, given).every(({ fresh }) => fresh.length > 0)).toBe(true);
      }),
    );
  });

  it("judges the fresh deltas after exactly the last deltas before them", () => {
    assert(
      property(streams, sizes, (deltas, given) => {
        let seen = 0;
        for (const { context, fresh } of batches(deltas, given)) {
          const start = Math.max(0, seen - given.contextSize);
          seen += fresh.length;
          expect(context).toBe(deltas.slice(start, seen).join(""));
        }
      }),
    );
  });

  it("never holds back as many deltas as make a chunk", () => {
    assert(
      property(streams, sizes, (deltas, given) => {
        const window = outputWindow(given);
        let held = 0;
        for (const delta of deltas) {
          const batch = window.push(delta);
          held = batch === undefined ? held + 1 : 0;
          expect(held).toBeLessThan(given.chunkSize);
        }
      }),
    );
  });

  it("P17 judges no more than a chunk and its context at once, however long the stream", () => {
    assert(
      property(constant(Array<string>(500).fill("x")), sizes, (deltas, given) => {
        const limit = given.chunkSize + given.contextSize;
        expect(batches(deltas, given).every(({ context }) => context.length <= limit)).toBe(true);
      }),
    );
  });
});
