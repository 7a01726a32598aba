import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { hasInnerReturn, isBlank, Lines, type OversizeLine } from "../../src/proxy/stdio/lines.js";

/** The lines of bytes that come in pieces. */
function split(pieces: readonly Buffer[], cap = 1_000) {
  const lines: string[] = [];
  const oversize: OversizeLine[] = [];
  const reader = new Lines(
    cap,
    (line) => lines.push(line.toString()),
    (line) => oversize.push(line),
  );
  for (const piece of pieces) reader.write(piece);
  reader.end();
  return { lines, oversize };
}

function cut(bytes: Buffer, places: readonly number[]): Buffer[] {
  const ends = [...places.map((place) => place % (bytes.length + 1)), bytes.length];
  ends.sort((one, other) => one - other);
  return ends.map((end, index) => bytes.subarray(ends[index - 1] ?? 0, end));
}

describe("Lines", () => {
  it("gives the same lines wherever the bytes were cut", () => {
    const line = fc
      .string({ unit: "grapheme", maxLength: 20 })
      .map((text) => text.replaceAll("\n", ""));
    fc.assert(
      fc.property(fc.array(line), fc.array(fc.nat()), (texts, places) => {
        const bytes = Buffer.from(texts.map((text) => `${text}\n`).join(""));
        expect(split(cut(bytes, places)).lines).toEqual(texts.map((text) => `${text}\n`));
      }),
    );
  });

  it("takes what the end cuts off for a line", () => {
    expect(split([Buffer.from("a\nb")]).lines).toEqual(["a\n", "b\n"]);
  });

  it("never holds a line that is too long, and goes on after it", () => {
    const long = Buffer.from(
      `{"jsonrpc":"2.0","id":7,"method":"x","params":"${"y".repeat(5_000)}"}\n`,
    );
    const { lines, oversize } = split([...cut(long, [3, 900, 1_100, 4_000]), Buffer.from("{}\n")]);
    expect(lines).toEqual(["{}\n"]);
    expect(oversize).toEqual([{ id: 7, isRequest: true }]);
  });

  it.each([
    [
      "a request whose id comes last",
      (x: string) => `{"method":"m","params":"${x}","jsonrpc":"2.0","id":"é1"}`,
      { id: "é1", isRequest: true },
    ],
    [
      "an answer whose id comes last",
      (x: string) => `{"result":"${x}","jsonrpc":"2.0","id":4}`,
      { id: 4, isRequest: false },
    ],
    [
      "an answer whose id comes first",
      (x: string) => `{"jsonrpc":"2.0","id":4,"result":"${x}"}`,
      { id: 4, isRequest: false },
    ],
    [
      "an id inside a text, which is none",
      (x: string) => `{"result":"${x},\\"id\\":5}"}`,
      { id: undefined, isRequest: false },
    ],
    ["no id", (x: string) => `{"method":"m","params":"${x}"}`, { id: undefined, isRequest: true }],
  ])("knows of a line that is too long: %s", (_, make, expected) => {
    expect(split([Buffer.from(`${make("x".repeat(9_000))}\n`)]).oversize).toEqual([expected]);
  });
});

describe("P6 a carriage return", () => {
  it.each([
    ['{"a":1}\r\n', false],
    ['{"a":1}\n', false],
    ['{"a":\r1}\n', true],
    ['{"a":1}\r\r\n', true],
    ['\r{"a":1}\n', true],
  ])("in %j is inside: %s", (line, isInside) => {
    expect(hasInnerReturn(Buffer.from(line))).toBe(isInside);
  });
});

it.each([
  ["\n", true],
  [" \t\r\n", true],
  ["{}\n", false],
])("a line of %j is blank: %s", (line, blank) => {
  expect(isBlank(Buffer.from(line))).toBe(blank);
});
