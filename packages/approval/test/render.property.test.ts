import type { JsonObject } from "@toolstile/core";
import { canonicalJson } from "@toolstile/core/provider";
import fc from "fast-check";
import { describe, expect, inject, it } from "vitest";
import { render } from "../src/render/render.js";
import { flips, question } from "./questions.js";

/** Text as attackers write it: look-alikes, nothing at all, marks that turn round, what escapes look like. */
const odd = fc
  .array(
    fc.constantFrom(
      ..."ab'\"\\\n\r\t …{}[]:,u1а\u0430\u200b\u202e\u2066\u00a0\u00adé\u0301e\u{e0041}\ufeff\u2028\u0000\u001b𝐚ａ",
      "\\u{200b}",
      "\\n",
      '"',
      "… 5 characters left out",
    ),
    { maxLength: 8 },
  )
  .map((parts) => parts.join(""))
  .filter((text) => text.isWellFormed());
const value = fc.letrec((tie) => ({
  any: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    odd,
    fc.integer(),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.boolean(),
    fc.constant(null),
    fc.array(tie("any"), { maxLength: 4 }),
    fc.dictionary(odd, tie("any"), { maxKeys: 4 }),
  ),
})).any;
const args = fc.dictionary(
  odd.filter((key) => key !== "__proto__"),
  value,
  { maxKeys: 4 },
) as fc.Arbitrary<JsonObject>;

function rendered(given: JsonObject, limits = {}): string {
  const from = question({ runId: "r", callId: "c", args: given, askedArgs: given });
  return render(from, limits);
}

/** Without the digest of the whole, which tells everything apart by itself. */
function shown(given: JsonObject, limits = {}): string {
  return rendered(given, limits).replace(/^SHA-256:.*\n/m, "");
}

/** Reads what is shown back: whatever can be read back is shown in full, and like nothing else. */
function readBack(text: string): unknown {
  const json = text.slice(text.indexOf("arguments:") + "arguments:".length);
  const standard = json.replace(/\\u\{([0-9a-f]+)\}|\\./g, (whole, code) =>
    code === undefined
      ? whole
      : JSON.stringify(String.fromCodePoint(Number.parseInt(code, 16)))
          .slice(1, -1)
          .replace(/^(["\\])$/, "\\$1"),
  );
  return JSON.parse(standard);
}

describe("render()", () => {
  it("P9 shows arguments so that they can be read back, whatever they hold", {
    tags: "longer",
  }, () => {
    fc.assert(
      fc.property(args, (given) => {
        expect(canonicalJson(readBack(shown(given)))).toBe(canonicalJson(given));
      }),
      { numRuns: inject("long") ? 2_000 : 200 },
    );
  });

  it("P9 shows no two arguments alike, also where it leaves much out", { tags: "longer" }, () => {
    const limits = fc.constantFrom({}, { maxText: 16 }, { maxText: 16, maxCharacters: 16 });
    fc.assert(
      fc.property(args, args, limits, (one, other, limit) => {
        const alike = canonicalJson(one) === canonicalJson(other);
        expect(shown(one, limit) === shown(other, limit)).toBe(alike);
      }),
      { numRuns: inject("long") ? 2_000 : 200 },
    );
  });

  it("P9 shows a change of any one character, at any place of a text that is cut", () => {
    const long = "x".repeat(3_000);
    const texts = fc.tuple(fc.nat({ max: long.length - 1 }), odd).map(([at, more]) => {
      return long.slice(0, at) + more + long.slice(at + 1);
    });
    fc.assert(
      fc.property(texts, texts, (one, other) => {
        expect(shown({ text: one }) === shown({ text: other })).toBe(one === other);
      }),
    );
  });

  it("P9 shows no two questions alike that are bound differently", () => {
    const one = question();
    const { receipt: _, ...shownParts } = Object.fromEntries(flips(one));
    for (const [what, other] of Object.entries(shownParts)) {
      expect(render(other), what).not.toBe(render(one));
    }
  });

  it("holds nothing that a terminal would obey, and nothing that cannot be seen", () => {
    fc.assert(
      fc.property(args, odd, (given, text) => {
        const from = question({
          args: given,
          toolName: text,
          reason: text,
          context: { sessionId: text, attributes: { [text]: text } },
          approval: { summary: text },
        });
        expect(render(from)).toMatch(/^[\x20-\x7e\nÀ-ÖØ-öø-ÿ…]*$/);
      }),
    );
  });

  it("is bounded, and says how much it leaves out and of what", () => {
    const text = rendered({
      body: "x".repeat(5_000),
      list: Array.from({ length: 50_000 }, () => 7),
    });
    expect(text.length).toBeLessThan(60_000);
    expect(text).toMatch(
      /"x{1000}" … 4,000 characters left out, of a whole with SHA-256 [0-9a-f]{64}/,
    );
    expect(text).toMatch(
      /… [\d,]+ more entries, [\d,]+ characters left out, of a whole with SHA-256/,
    );
  });

  it("shows what the model asked for where guards changed it, and when it expires", () => {
    const from = question({ args: { amount: 10 }, askedArgs: { amount: 99 } });
    expect(render(from, { expiresAt: 0 })).toContain(
      'arguments:       {\n  "amount": 10\n}\nthe model asked: {\n  "amount": 99\n}\n',
    );
    expect(render(from, { expiresAt: 0 })).toContain("expires:         1970-01-01T00:00:00.000Z");
    expect(render(question())).not.toContain("the model asked");
  });

  it("shows letters of Latin-1 as they are, and look-alikes of other scripts escaped", () => {
    expect(rendered({ to: "Jürgen, \u0430nn, pay\u200bpal" })).toContain(
      '"to": "Jürgen, \\u{430}nn, pay\\u{200b}pal"',
    );
  });

  it("refuses limits that are none", () => {
    expect(() => render(question(), { maxText: 0 })).toThrow(
      /'maxText' must be a whole number of at least 16, received 0/,
    );
    expect(() => render(question(), { maxtext: 20 } as never)).toThrow(/Did you mean 'maxText'/);
  });
});
