import { describe, expect, it } from "vitest";
import { ToolstileError } from "../src/errors/error.js";
import { canonicalJson } from "../src/json/canonical.js";

describe("canonicalJson", () => {
  // RFC 8785, appendix B, by the bits of the IEEE 754 double.
  it.each([
    ["0000000000000000", "0"],
    ["8000000000000000", "0"],
    ["0000000000000001", "5e-324"],
    ["8000000000000001", "-5e-324"],
    ["7fefffffffffffff", "1.7976931348623157e+308"],
    ["ffefffffffffffff", "-1.7976931348623157e+308"],
    ["4340000000000000", "9007199254740992"],
    ["c340000000000000", "-9007199254740992"],
    ["4430000000000000", "295147905179352830000"],
    ["44b52d02c7e14af5", "9.999999999999997e+22"],
    ["44b52d02c7e14af6", "1e+23"],
    ["44b52d02c7e14af7", "1.0000000000000001e+23"],
    ["444b1ae4d6e2ef4e", "999999999999999700000"],
    ["444b1ae4d6e2ef4f", "999999999999999900000"],
    ["444b1ae4d6e2ef50", "1e+21"],
    ["3eb0c6f7a0b5ed8c", "9.999999999999997e-7"],
    ["3eb0c6f7a0b5ed8d", "0.000001"],
    ["41b3de4355555553", "333333333.3333332"],
    ["41b3de4355555554", "333333333.33333325"],
    ["41b3de4355555555", "333333333.3333333"],
    ["41b3de4355555556", "333333333.3333334"],
    ["41b3de4355555557", "333333333.33333343"],
    ["becbf647612f3696", "-0.0000033333333333333333"],
    ["43143ff3c1cb0959", "1424953923781206.2"],
  ])("writes the double %s as %s", (bits, text) => {
    const bytes = new DataView(new ArrayBuffer(8));
    bytes.setBigUint64(0, BigInt(`0x${bits}`));
    expect(canonicalJson(bytes.getFloat64(0))).toBe(text);
  });

  // RFC 8785, section 3.2.3.
  it("sorts keys by UTF-16 code units, not by code points", () => {
    const text = canonicalJson({
      "\u20ac": "Euro Sign",
      "\r": "Carriage Return",
      "\ufb33": "Hebrew Letter Dalet With Dagesh",
      "1": "One",
      "\ud83d\ude00": "Emoji: Grinning Face",
      "\u0080": "Control",
      "\u00f6": "Latin Small Letter O With Diaeresis",
    });
    expect(Object.values(JSON.parse(text))).toEqual([
      // JSON.parse puts the key that looks like an index first; the text has it second.
      "One",
      "Carriage Return",
      "Control",
      "Latin Small Letter O With Diaeresis",
      "Euro Sign",
      "Emoji: Grinning Face",
      "Hebrew Letter Dalet With Dagesh",
    ]);
    expect(text.startsWith('{"\\r":"Carriage Return","1":"One",')).toBe(true);
  });

  // RFC 8785, section 3.2.2.
  it("writes the example of the RFC as the RFC does", () => {
    const example = {
      // The RFC writes the first as 333333333.33333329 and the last with 26 zeros.
      numbers: [333333333.3333333, 1e30, 4.5, 2e-3, 1e-27],
      string: "\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"/",
      literals: [null, true, false],
    };
    expect(canonicalJson(example)).toBe(
      '{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],"string":"€$\\u000f\\nA\'B\\"\\\\\\\\\\"/"}',
    );
  });

  it("leaves out properties that are undefined, and no others", () => {
    expect(canonicalJson({ a: undefined, b: null, c: false, d: "" })).toBe(
      '{"b":null,"c":false,"d":""}',
    );
    expect(canonicalJson({ a: undefined })).toBe("{}");
  });

  it("writes empty and nested lists and objects without space", () => {
    expect(canonicalJson([[], {}, [[1], { a: [] }]])).toBe('[[],{},[[1],{"a":[]}]]');
  });

  it("writes an own __proto__ like any key", () => {
    expect(canonicalJson(JSON.parse('{"__proto__":1,"a":2}'))).toBe('{"__proto__":1,"a":2}');
  });

  it.each([
    ["a function", () => 1],
    ["a symbol", Symbol("x")],
    ["a BigInt", 1n],
    ["undefined", undefined],
    ["NaN", Number.NaN],
    ["Infinity", Number.POSITIVE_INFINITY],
    ["-Infinity", Number.NEGATIVE_INFINITY],
    ["a lone surrogate", "\ud800"],
    ["a lone surrogate as a key", { "\udc00": 1 }],
    ["undefined in a list", [undefined]],
    ["a hole in a list", new Array(1)],
    ["a function deep down", { a: [{ b: () => 1 }] }],
    ["a Date", new Date(0)],
    ["a Map", new Map([["a", 1]])],
    ["a Set in a list", [new Set([1])]],
    ["a boxed string", Object("text")],
    ["a regular expression", /x/],
  ])("refuses %s", (_, value) => {
    let error: unknown;
    try {
      canonicalJson(value);
    } catch (caught) {
      error = caught;
    }
    expect(ToolstileError.isInstance(error)).toBe(true);
    expect((error as ToolstileError).code).toBe("ERR_NOT_JSON");
  });

  it("P2 quotes nothing of what it refuses", () => {
    expect(() => canonicalJson({ secret: "hunter2\ud800" })).toThrow(
      expect.objectContaining({ message: expect.not.stringContaining("hunter2") }),
    );
  });
});
