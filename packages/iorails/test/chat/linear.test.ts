import { describe, expect, it } from "vitest";
import { CompletionAssembler } from "../../src/chat/assembly.js";
import { SseReader } from "../../src/chat/sse.js";
import { pushed } from "./sse-events.js";

/** How many characters the methods that search, cut and join text have been over while `work` ran. */
function charactersTouched(work: () => void): number {
  const { indexOf, slice } = String.prototype;
  const { join } = Array.prototype;
  let touched = 0;
  String.prototype.indexOf = function (sought, from = 0) {
    const found = indexOf.call(this, sought, from);
    touched += (found === -1 ? this.length : found + 1) - from;
    return found;
  };
  String.prototype.slice = function (start, end) {
    const text = slice.call(this, start, end);
    touched += text.length;
    return text;
  };
  Array.prototype.join = function (separator) {
    const text = join.call(this, separator);
    touched += text.length;
    return text;
  };
  try {
    work();
  } finally {
    String.prototype.indexOf = indexOf;
    String.prototype.slice = slice;
    Array.prototype.join = join;
  }
  return touched;
}

function readByteByByte(bytes: Uint8Array): number {
  const reader = new SseReader();
  let events = 0;
  for (let at = 0; at < bytes.length; at += 1) {
    events += pushed(reader, bytes.subarray(at, at + 1)).length;
  }
  return events;
}

const megabyte = 1_000_000;

describe("the cost of reading a stream", { tags: "long" }, () => {
  it.each([
    ["one line", `data: ${"x".repeat(megabyte - 8)}\n\n`, 1],
    ["lines of one event", `${"data: xxx\n".repeat(megabyte / 10)}\n`, 1],
    ["events", "data: xxx\r\n\r\n".repeat(megabyte / 13), Math.floor(megabyte / 13)],
    ["a line that never ends", "x".repeat(megabyte), 0],
  ])("grows as the bytes do, one at a time, for %s", (_, text, expected) => {
    const bytes = new TextEncoder().encode(text);
    let events = -1;
    const touched = charactersTouched(() => {
      events = readByteByByte(bytes);
    });
    expect(events).toBe(expected);
    // Searched for two characters, cut, joined twice, cut at the colon, joined again. One more look at the whole would be a million times that.
    expect(touched).toBeLessThan(12 * megabyte);
  });

  it.each(["\n", "\r"])(
    "grows as the bytes do for many lines in one piece that end by %j",
    (end) => {
      const bytes = new TextEncoder().encode(`data: x${end}${end}`.repeat(50_000));
      const touched = charactersTouched(() => {
        expect(pushed(new SseReader(), bytes)).toHaveLength(50_000);
      });
      expect(touched).toBeLessThan(12 * bytes.length);
    },
  );

  it("grows as the text does for a call and a text that come in pieces of one character", () => {
    const assembler = new CompletionAssembler("main");
    const pieces = 200_000;
    const piece = { function: { arguments: "x" }, index: 0 };
    const touched = charactersTouched(() => {
      for (let at = 0; at < pieces; at += 1) {
        assembler.take({ choices: [{ index: 0, delta: { tool_calls: [piece], content: "y" } }] });
      }
      const { calls, content } = assembler.end();
      expect(calls[0]?.arguments).toBe("x".repeat(pieces));
      expect(content).toBe("y".repeat(pieces));
    });
    expect(touched).toBeLessThan(12 * pieces);
  });
});
