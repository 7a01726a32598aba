import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  EventStream,
  EventStreamError,
  hasId,
  type StreamEvent,
  withData,
} from "../../src/proxy/http/event-stream.js";

function events(pieces: readonly (string | Buffer)[], cap = 10_000): StreamEvent[] {
  const found: StreamEvent[] = [];
  const stream = new EventStream(cap, (event) => found.push(event));
  for (const piece of pieces) stream.write(Buffer.from(piece as string));
  return found;
}
const data = (pieces: readonly string[]) => events(pieces).map((event) => event.data);

describe("EventStream", () => {
  it.each([
    ["one line", "data: a\n\n", ["a"]],
    ["no space", "data:a\n\n", ["a"]],
    ["two spaces, of which one is data", "data:  a\n\n", [" a"]],
    ["several lines", "data: a\ndata: b\ndata:\n\n", ["a\nb\n"]],
    ["carriage returns", "data: a\r\rdata: b\r\r", ["a", "b"]],
    ["both", "data: a\r\n\r\ndata: b\r\n\r\n", ["a", "b"]],
    ["a byte order mark", "\ufeffdata: a\n\n", ["a"]],
    ["a colon in it", "data: a:b\n\n", ["a:b"]],
    ["no colon", "data\n\n", [""]],
    ["another field", "Data: a\nfoo: b\n\n", [undefined]],
    ["what the end cuts off", "data: a\n\ndata: b\n", ["a"]],
    ["a line separator, which ends none", "data: a\u2028data: b\n\n", ["a\u2028data: b"]],
  ])("reads %s as the standard says", (_, text, expected) => {
    expect(data([text])).toEqual(expected);
  });

  it("keeps type, id, retry and comments of an event, also when its data changes", () => {
    const [event] = events([": c\nevent: message\nid: 5\nretry: 10\ndata: x\n\n"]).slice(1);
    expect(event).toMatchObject({ data: "x", type: undefined });
    expect(hasId(event as StreamEvent)).toBe(true);
    expect(withData(event, '{"a":1}')).toBe('event: message\nid: 5\nretry: 10\ndata: {"a":1}\n\n');
    expect(event?.bytes.toString()).toBe("event: message\nid: 5\nretry: 10\ndata: x\n\n");
  });

  it("gives a comment between events at once, without waiting for a blank line", () => {
    expect(events([": ping\n"]).map(({ bytes }) => bytes.toString())).toEqual([": ping\n"]);
  });

  it("says which type an event has, where it is not a message", () => {
    expect(events(["event: ping\ndata: 1\n\n"])[0]?.type).toBe("ping");
  });

  it("gives the same events wherever the bytes were cut", () => {
    const line = fc.oneof(
      fc.constantFrom("", "", ": c", "data", "data: é", "id: 1", "event: x", "retry: 5"),
      fc.string({ unit: "grapheme" }).map((text) => `data: ${text.replace(/[\r\n]/g, "")}`),
    );
    const ending = fc.constantFrom("\n", "\r", "\r\n");
    fc.assert(
      fc.property(fc.array(fc.tuple(line, ending)), fc.array(fc.nat()), (lines, places) => {
        const bytes = Buffer.from(lines.flat().join(""));
        const ends = [...places.map((place) => place % (bytes.length + 1)), bytes.length];
        ends.sort((one, other) => one - other);
        const pieces = ends.map((end, index) => bytes.subarray(ends[index - 1] ?? 0, end));
        expect(events(pieces)).toEqual(events([bytes]));
      }),
    );
  });

  it("passes on nothing that is not UTF-8, and no event that is too long", () => {
    expect(() => events([Buffer.from([100, 97, 116, 97, 58, 0xff, 10, 10])])).toThrow(
      EventStreamError,
    );
    expect(() => events([`data: ${"x".repeat(200)}`], 100)).toThrow(EventStreamError);
    expect(() => events(["data: xxxxxxxx\n".repeat(20)], 100)).toThrow(EventStreamError);
  });
});
