import fc from "fast-check";
import { describe, expect, inject, it } from "vitest";
import { memoryTokens, redactor } from "../src/index.js";
import { item } from "./items.js";
import { decodedIn, type LongRun, longRun, textOf } from "./long-runs.js";

const filler = "The report says how each department spent its budget. ".repeat(180);

function inPieces(of: ReturnType<typeof redactor>, text: string, size: number): string {
  const stream = of.stream();
  let out = "";
  for (let at = 0; at < text.length; at += size) out += stream.push(text.slice(at, at + size));
  return out + stream.end();
}

describe("a stream", () => {
  const mail = redactor({ kinds: ["personal.email"] });

  it.each([
    "",
    '{"result":"',
    '{"result":"file:\\n',
    '{"result":"\\t',
    '{"result":"\\\\n',
    '{"result":"\\u000a',
    "src=data%3Atext%2Fplain%3Bbase64%2C",
    "file%252C",
    "file: ",
  ])(
    "finds in a long run of base64 behind %j what the whole has there",
    {
      tags: "longer",
    },
    (before) => {
      fc.assert(
        fc.property(
          fc.string({ unit: fc.constantFrom("a", "b", " "), maxLength: 8 }),
          fc.integer({ min: 40, max: 20_000 }),
          (head, size) => {
            const value = `${head} ${filler} mail ${item("personal.email", 1)} now. ${filler}`;
            const text = `${before}${Buffer.from(value).toString("base64")} end`;
            const whole = mail.text(text).value;
            expect(whole).toContain("[redacted personal.email]");
            expect(inPieces(mail, text, size)).toBe(whole);
          },
        ),
        { numRuns: inject("long") ? 12 : 3 },
      );
    },
  );

  it("puts one mark for a token of thousands of units, by which its value comes back once", () => {
    const tokens = memoryTokens();
    const all = redactor({ action: "token", tokens });
    fc.assert(
      fc.property(
        fc.integer({ min: 500, max: 1_900 }),
        fc.nat({ max: 5_000 }),
        fc.constantFrom(20, 100, 5_000),
        (size, before, pieces) => {
          const claims = Buffer.from(`{"a":"${"k9Z".repeat(size)}"}`).toString("base64url");
          const token = `eyJhbGciOiJIUzI1NiJ9.${claims}.${"A1b2".repeat(11)}`;
          const text = `${"x ".repeat(before)}${token} end. ${"y ".repeat(9_000)}`;
          const out = inPieces(all, text, pieces);
          expect(out.match(/\[redacted/g)).toHaveLength(1);
          expect(tokens.restore(out)).toBe(text);
        },
      ),
      { numRuns: 10 },
    );
  });

  it("is that of the whole for a run of any length, however its digits are encoded, escaped and broken into lines", {
    tags: "longer",
  }, () => {
    const all = redactor();
    const personal = redactor({ kinds: ["personal"] });
    const isTheWhole = (run: LongRun, of: typeof all, size: number) => {
      const text = textOf(run, of.holdback);
      const whole = of.text(text).value;
      expect(inPieces(of, text, size) === whole).toBe(true);
      if (run.isNested) return;
      expect([text, whole].map((each) => decodedIn(each).includes(run.item))).toEqual([
        true,
        false,
      ]);
    };
    fc.assert(
      fc.property(
        longRun,
        fc.constantFrom(all, personal),
        fc.constantFrom(1, 7, 100, 4_099, 100_000),
        isTheWhole,
      ),
      { numRuns: inject("long") ? 60 : 8 },
    );
  });

  it("is that of the whole whichever digit of a long run is escaped", { tags: "longer" }, () => {
    const value = `${filler} mail ${item("personal.email", 1)} now. ${filler}`;
    const run = Buffer.from(value).toString("base64");
    const whole = mail.text(run).value.split("[redacted");
    expect(whole).toHaveLength(2);
    // A group of base64 has four digits: in the long run, each place in one, all over the run.
    const [last, step] = inject("long") ? [(whole[0] as string).length, 241] : [12, 1];
    for (let at = 0; at < last; at += step) {
      const escaped = `\\u00${run.charCodeAt(at).toString(16)}`;
      const text = `${run.slice(0, at)}${escaped}${run.slice(at + 1)}`;
      expect(inPieces(mail, text, 1_000)).toBe(mail.text(text).value);
      expect(mail.text(text).value).toContain("[redacted personal.email]");
    }
  });

  it("puts a mark for each of many items that stand one behind the other in a long run", () => {
    const items = Array.from({ length: 900 }, (_, seed) => item("personal.email", seed));
    const text = Buffer.from(items.join(" ")).toString("base64");
    const whole = mail.text(text).value;
    expect(whole.match(/\[redacted personal\.email\]/g)).toHaveLength(900);
    expect(inPieces(mail, text, 100)).toBe(whole);
  });

  it.each([5, null, undefined, ["a@brawyn.de"], Buffer.from("a")])(
    "takes no %j for a piece, and says nothing of it but its type",
    (piece) => {
      const message = `the piece must be a string, received ${typeof piece}.`;
      expect(() => mail.stream().push(piece as never)).toThrow(message);
      expect(() => mail.text(piece as never)).toThrow("the text must be a string");
    },
  );
});

describe("a block of encoded text whose first line is longer than the others", () => {
  const text = Buffer.from(
    `${"lorem ipsum dolor sit amet ".repeat(800)}mail ${item("personal.email", 1)}`,
  );
  const breaks = ["\n", "\r\n", "\\n", "%0A"];
  const whole = redactor();

  it.each(breaks)("is read by a stream as by the whole, with %j between the lines", (lineBreak) => {
    for (const encoding of ["hex", "base64"] as const) {
      const run = text.toString(encoding);
      for (const width of [19, 41, 48, 59]) {
        const lines = run.slice(60).match(new RegExp(`.{1,${width}}`, "g")) ?? [];
        const block = [run.slice(0, 60), ...lines].join(lineBreak);
        expect(inPieces(whole, block, 1_000)).toBe(whole.text(block).value);
      }
    }
  });

  it("goes on over a short line or two", () => {
    const run = Buffer.from(`${"lorem ipsum ".repeat(4)}${item("personal.email", 1)}`).toString(
      "hex",
    );
    const block = [run.slice(0, 70), run.slice(70, 90), run.slice(90)].join("\n");
    expect(whole.text(block).value).toBe("[redacted personal.email]");
  });
});
