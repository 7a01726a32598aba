import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { memoryTokens, redactor } from "../src/index.js";
import { item } from "./items.js";

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
  ])("finds in a long run of base64 behind %j what the whole has there", (before) => {
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
      { numRuns: 12 },
    );
  });

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
});
