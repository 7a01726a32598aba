import { describe, expect, it } from "vitest";
import { type SseEvent, SseOverflowError, SseReader } from "../../src/chat/sse.js";
import { pushed } from "./sse-events.js";

const utf8 = new TextEncoder();

function read(text: string, limit?: number): readonly SseEvent[] {
  const reader = new SseReader(limit);
  const events = pushed(reader, utf8.encode(text));
  return events;
}

const message = (data: string): SseEvent => ({ event: "message", data });

describe("SseReader", () => {
  it.each<[string, string, readonly SseEvent[]]>([
    ["ends lines by a line feed", "data: a\n\ndata: b\n\n", [message("a"), message("b")]],
    ["ends lines by a carriage return", "data: a\r\rdata: b\r\r", [message("a"), message("b")]],
    ["ends lines by both", "data: a\r\n\r\ndata: b\r\n\r\n", [message("a"), message("b")]],
    ["ends lines by any mixture", "data: a\r\n\rdata: b\n\r\n", [message("a"), message("b")]],
    ["ends no event by one CRLF", "data: a\r\ndata: b\r\n\r\n", [message("a\nb")]],
    ["drops a byte order mark at the beginning", "\uFEFFdata: a\n\n", [message("a")]],
    ["keeps a second byte order mark, which spoils the field", "\uFEFF\uFEFFdata: a\n\n", []],
    ["reads past comments", ": ping\ndata: a\n:\n\n: ping\n\n", [message("a")]],
    ["joins lines of data", "data: a\ndata:\ndata: b\n\n", [message("a\n\nb")]],
    ["takes one space off a value", "data:  a \n\ndata:b\n\n", [message(" a "), message("b")]],
    ["takes no tab off a value", "data:\ta\n\n", [message("\ta")]],
    ["keeps colons in a value", "data: a: b\n\n", [message("a: b")]],
    [
      "reads a field without a colon as empty",
      "data\n\ndata\ndata\n\n",
      [message(""), message("\n")],
    ],
    ["gives no event without data", "event: x\n\ndata: a\n\n", [message("a")]],
    [
      "names an event until it is given",
      "event: x\ndata: a\n\ndata: b\n\n",
      [{ event: "x", data: "a" }, message("b")],
    ],
    [
      "takes the last name of an event",
      "event: x\nevent: y\ndata: a\n\n",
      [{ event: "y", data: "a" }],
    ],
    ["reads an empty name as none", "event: x\nevent\ndata: a\n\n", [message("a")]],
    [
      "reads past id, retry and unknown fields",
      "id: 1\nretry: 5\nDATA: x\n data: y\ndata: a\n\n",
      [message("a")],
    ],
    ["drops an event that no empty line ends", "data: a\n\ndata: b\n", [message("a")]],
    ["drops a line that does not end", "data: a\n\ndata: b", [message("a")]],
  ])("%s", (_, text, expected) => {
    expect(read(text)).toEqual(expected);
  });

  it("gives the same events wherever the bytes are cut in two, or one byte at a time", () => {
    const bytes = utf8.encode(
      "\uFEFFdata: é😀\r\ndata: 漢\r\n\r\n: 😀\revent: x\rdata: b\r\r\n\ndata: c\n\n",
    );
    const whole = pushed(new SseReader(), bytes);
    expect(whole).toEqual([message("é😀\n漢"), { event: "x", data: "b" }, message("c")]);
    for (let cut = 0; cut <= bytes.length; cut += 1) {
      const reader = new SseReader();
      const first = pushed(reader, bytes.subarray(0, cut));
      expect([...first, ...pushed(reader, bytes.subarray(cut))]).toEqual(whole);
    }
    const reader = new SseReader();
    expect([...bytes].flatMap((byte) => pushed(reader, Uint8Array.of(byte)))).toEqual(whole);
  });

  it("gives an event at the carriage return that ends it, before the line feed comes", () => {
    const reader = new SseReader();
    expect(pushed(reader, utf8.encode("data: a\r\n\r"))).toEqual([message("a")]);
    expect(pushed(reader, utf8.encode("\ndata: b\n\n"))).toEqual([message("b")]);
  });

  it("puts the replacement character where bytes are no UTF-8", () => {
    const reader = new SseReader();
    const bytes = Uint8Array.of(...utf8.encode("data: a"), 0xff, 0xc3, ...utf8.encode("b\n\n"));
    expect(pushed(reader, bytes)).toEqual([message("a\uFFFD\uFFFDb")]);
  });
});

describe("SseReader's limit", () => {
  const limit = 20;

  it("takes an event of exactly the limit", () => {
    expect(read(`data: ${"x".repeat(14)}\n\n`, limit)).toEqual([message("x".repeat(14))]);
  });

  it.each([
    ["a line", `data: ${"x".repeat(15)}\n\n`],
    ["a line that never ends", "x".repeat(21)],
    ["a comment", `:${"x".repeat(20)}\n`],
    ["many lines of data", "data: xxxx\n".repeat(4)],
    ["many empty lines of data", "data\n".repeat(30)],
  ])("refuses %s beyond it, however it is cut, and goes on refusing", (_, text) => {
    expect(() => read(text, limit)).toThrow(SseOverflowError);
    const reader = new SseReader(limit);
    expect(() => {
      for (const byte of utf8.encode(text)) pushed(reader, Uint8Array.of(byte));
    }).toThrow(SseOverflowError);
    expect(() => pushed(reader, utf8.encode("data: a\n\n"))).toThrow(SseOverflowError);
  });

  it("gives the events before the one too long, and refuses then", () => {
    const reader = new SseReader(limit);
    reader.push(utf8.encode(`data: a\n\n${"x".repeat(21)}`));
    expect(reader.next()).toEqual(message("a"));
    expect(() => reader.next()).toThrow(SseOverflowError);
  });

  it("reads each event when it is asked for, and what comes meanwhile behind it", () => {
    const reader = new SseReader();
    reader.push(utf8.encode("data: a\n\ndata: b\r"));
    expect(reader.next()).toEqual(message("a"));
    reader.push(utf8.encode("\n\r\ndata: c\n\n"));
    expect(reader.next()).toEqual(message("b"));
    expect(reader.next()).toEqual(message("c"));
    expect(reader.next()).toBeUndefined();
  });

  it("does not count what has been given or is not kept", () => {
    const text = `${"data: a\n\n".repeat(50)}${": ping\n".repeat(50)}${"event: x\n".repeat(50)}\n`;
    expect(read(text, limit)).toHaveLength(50);
  });

  it("quotes nothing of the stream", () => {
    expect(() => read("data: hunter2-hunter2-hunter2", limit)).toThrow(
      /^A server-sent event is longer than 20 characters\.$/,
    );
  });
});
