import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type SseEvent, SseReader } from "../../src/chat/sse.js";
import { pushed } from "./sse-events.js";

const utf8 = new TextEncoder();

/** The standard's parsing, written as it is told there, for a stream that is all there. */
function reference(bytes: Uint8Array): readonly SseEvent[] {
  const lines = new TextDecoder().decode(bytes).split(/\r\n|\n|\r/);
  lines.pop();
  const events: SseEvent[] = [];
  let data = "";
  let type = "";
  for (const line of lines) {
    if (line === "") {
      if (data !== "")
        events.push({ event: type === "" ? "message" : type, data: data.slice(0, -1) });
      data = "";
      type = "";
    } else if (!line.startsWith(":")) {
      const [, field, value = ""] = /^([^:]*)(?:: ?(.*))?$/su.exec(line) ?? [];
      if (field === "event") type = value;
      if (field === "data") data += `${value}\n`;
    }
  }
  return events;
}

const pieces = [
  "data",
  "data: ",
  "event:",
  "id: 1",
  ":",
  " ",
  "\n",
  "\n\n",
  "\r",
  "\r\n",
  "a",
  "é",
  "😀",
  "\uFEFF",
  "\0",
];
const broken = [
  Uint8Array.of(0xff),
  Uint8Array.of(0xc3),
  Uint8Array.of(0xf0, 0x9f),
  Uint8Array.of(0xed, 0xa0, 0x80),
];
const stream = fc
  .array(fc.constantFrom(...pieces.map((piece) => utf8.encode(piece)), ...broken), {
    maxLength: 60,
  })
  .map((parts) => Uint8Array.from(parts.flatMap((part) => [...part])));

function readCut(bytes: Uint8Array, cuts: readonly number[]): readonly SseEvent[] {
  const reader = new SseReader();
  const places = [
    ...cuts.map((cut) => cut % (bytes.length + 1)).sort((a, b) => a - b),
    bytes.length,
  ];
  let start = 0;
  return places.flatMap((end) => {
    const part = bytes.subarray(start, end);
    start = end;
    return pushed(reader, part);
  });
}

describe("SseReader, on any bytes", () => {
  it("gives what the standard says, however they are cut", () => {
    fc.assert(
      fc.property(stream, fc.array(fc.nat(), { maxLength: 12 }), (bytes, cuts) => {
        expect(readCut(bytes, cuts)).toEqual(reference(bytes));
      }),
      { numRuns: 3000 },
    );
  });

  it("gives what the standard says, one at a time", () => {
    fc.assert(
      fc.property(stream, (bytes) => {
        const reader = new SseReader();
        const events = [...bytes].flatMap((byte) => pushed(reader, Uint8Array.of(byte)));
        expect(events).toEqual(reference(bytes));
      }),
      { numRuns: 1000 },
    );
  });
});
