import { describe, expect, it, onTestFinished, vi } from "vitest";
import { hasDuplicateKeys, parseArguments } from "../src/json/parse.js";

describe("P6 a key that is one escape", () => {
  /** Node 24.21 then takes it for a backslash. */
  const afterBackslash = (first: string) => JSON.parse(`{"${first}":1,"\\\\":2}`);
  const refusedAsMisread = {
    code: "invalid_json",
    reason: "the JavaScript engine reads a key as another one",
  };
  const escapes = ["\\u0062", "\\n", '\\"', "\\u005C", "\\\\", "\\/"];

  it("is read as it is written, or refused", () => {
    for (const [index, written] of escapes.entries()) {
      const first = `before${index}`;
      afterBackslash(first);
      const key = JSON.parse(`"${written}"`);
      const text = `{"${first}":1,"${written}":2}`;
      const read = parseArguments(text);
      if (read.ok)
        expect(Object.entries(read.args)).toEqual([
          [first, 1],
          [key, 2],
        ]);
      else expect(read).toEqual({ ok: false, ...refusedAsMisread });
      expect(hasDuplicateKeys(text, JSON.parse(text))).toBe(!read.ok);
    }
  });

  it("is refused where another reader was given another key than the text has", () => {
    for (const written of ['{"a":1,"\\u0062":2}', '{"a":":","b":["\\\\", "\\u005c"]}']) {
      expect(hasDuplicateKeys(written, JSON.parse('{"a":1,"\\\\":2}'))).toBe(true);
    }
    for (const text of [
      '{"a":1,"\\\\" :2}',
      '{"\\u005c":{"\\\\":"\\\\"}}',
      '{"a\\"":{"\\u005C":1}}',
    ]) {
      expect(hasDuplicateKeys(text, JSON.parse(text))).toBe(false);
      expect(parseArguments(text)).toEqual({ ok: true, args: JSON.parse(text) });
    }
  });

  it("is refused where it is the same key as one before", () => {
    afterBackslash("b");
    const text = '{"b":1,"\\u0062":2}';
    expect(parseArguments(text).ok).toBe(false);
    expect(hasDuplicateKeys(text, JSON.parse(text))).toBe(true);
  });

  it("is refused where the engine reads a backslash, as that of Node 24.21 does", () => {
    const parse = vi.spyOn(JSON, "parse");
    onTestFinished(() => parse.mockRestore());
    parse.mockReturnValueOnce({ a: 1, "\\": 2 });
    expect(parseArguments('{"a":1,"\\u0062":2}')).toEqual({ ok: false, ...refusedAsMisread });
    parse.mockReturnValueOnce({ a: 1, b: { "\\": { "\\": 2 } } });
    expect(parseArguments('{"a":1,"b":{"\\n":{"\\\\":2}}}').ok).toBe(false);
  });
});
