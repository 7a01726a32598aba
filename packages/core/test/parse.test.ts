import { describe, expect, it } from "vitest";
import { type ParsedArguments, parseArguments } from "../src/json/parse.js";
import { defaultLimits } from "../src/json/snapshot.js";
import { isDeepFrozen } from "./support/json-values.js";
import { whilePlanted } from "./support/planted.js";

function codeOf(parsed: ParsedArguments): string {
  return parsed.ok ? "ok" : parsed.code;
}

describe("parseArguments of nothing", () => {
  it.each([
    ["undefined", undefined],
    ["null", null],
    ["empty text", ""],
    ["blank text", " \t\r\n "],
  ])("takes %s for no arguments", (_, given) => {
    expect(parseArguments(given)).toEqual({ ok: true, args: {} });
    expect(isDeepFrozen(parseArguments(given))).toBe(true);
  });
});

describe("parseArguments of text", () => {
  it.each([
    ["null", "null"],
    ["a list", "[]"],
    ["a list of objects", '[{"a":1}]'],
    ["a string", '"a"'],
    ["a number", "1"],
    ["true", "true"],
  ])("refuses %s as no object", (_, text) => {
    expect(codeOf(parseArguments(text))).toBe("not_an_object");
  });

  it.each([
    ["a byte order mark", '\ufeff{"a":1}'],
    ["NaN", '{"a":NaN}'],
    ["Infinity", '{"a":Infinity}'],
    ["undefined", '{"a":undefined}'],
    ["a code fence", '```json\n{"a":1}\n```'],
    ["prose before", 'Sure: {"a":1}'],
    ["a trailing comma", '{"a":1,}'],
    ["a comment", '{"a":1/*x*/}'],
    ["single quotes", "{'a':1}"],
    ["bare keys", "{a:1}"],
    ["two objects", '{"a":1}{"b":2}'],
    ["two objects on two lines", '{"a":1}\n{"b":2}'],
    ["half an object", '{"a":'],
    ["half a string", '{"a":"b'],
    ["half an escape", '{"a":"\\'],
    ["a leading zero", '{"a":01}'],
    ["a hexadecimal number", '{"a":0x1}'],
    ["a raw newline in a string", '{"a":"\n"}'],
    ["a NUL after the object", '{"a":1}\0'],
    ["the name of an object", "[object Object]"],
    ["a no-break space alone beside text", "\u00a0x"],
  ])("refuses %s as no JSON", (_, text) => {
    expect(codeOf(parseArguments(text))).toBe("invalid_json");
  });

  it("says where the text stops being JSON, and quotes none of it", () => {
    const parsed = parseArguments('{"password":"hunter2" oops}');
    expect(parsed).toEqual({
      ok: false,
      code: "invalid_json",
      reason: "they are not valid JSON at position 22",
    });
  });

  it.each([
    ['{"a": x}', 6],
    ["{a:1}", 1],
    ["{", 1],
    ['{"a"', 4],
    ['{"a" 1}', 5],
    ['{"a":1,}', 7],
    ['{"a":[1,]}', 8],
    ['{"a":[1 2]}', 8],
    ['{"a":1}}', 7],
    ['{"a":1},{}', 7],
    ['{"a":tru}', 5],
    ['{"a":01}', 6],
    ['{"a":"b\nc"}', 7],
    ['{"a":"\\x"}', 6],
    ['{"a":"\\u12"}', 6],
    ['{"a":"b', 7],
    ["{'a':1}", 1],
    ['{"a":1]', 6],
    ["{{}}", 1],
    ['{"a":1,[]}', 7],
    ["{1:2}", 1],
    ["[1}", 2],
    ["\u00a0{}", 0],
  ])("says of %j at which position it stops being JSON", (text, place) => {
    expect(parseArguments(text)).toMatchObject({
      code: "invalid_json",
      reason: `they are not valid JSON at position ${place}`,
    });
  });

  it.each([
    ['{"a":1,"a":1}'],
    ['{"a":1,"b":2,"a":3}'],
    ['{"a":1,"\\u0061":1}'],
    ['{"\\u0061":1,"\\u0061":1}'],
    ['{"/":1,"\\/":1}'],
    ['{"\\n":1,"\\u000a":1}'],
    ['{"\\u000A":1,"\\u000a":1}'],
    ['{"😀":1,"\\ud83d\\ude00":1}'],
    ['{"":1,"":2}'],
    ['{"1":1,"\\u0031":2}'],
    ['{"deep":[{"list":[0,{"a":1,"a":2}]}]}'],
    ['{"a":{"x":1},"b":{"x":1,"x":1}}'],
    ['{"constructor":1,"constructor":2}'],
    ['{"a" : 1 , "a" : 2}'],
  ])("refuses %s for its duplicate key", (text) => {
    expect(codeOf(parseArguments(text))).toBe("duplicate_key");
  });

  it.each([
    ['{"a":{"a":{"a":1}}}'],
    ['{"a":1,"A":1}'],
    ['{"a":":","b":"::"}'],
    ['{":":1,"::":1}'],
    ['{"a":"\\":\\"","b":1}'],
    ['{"a":"\\\\","b":":"}'],
    ['{"a\\\\":1,"a":2}'],
    ['{"a":"\\\\\\":","b":1}'],
    ['{"é":1,"e\u0301":1}'],
    ['{"a":[{"x":1},{"x":1}]}'],
    ['{"a":"{\\"a\\":1,\\"a\\":2}"}'],
  ])("takes %s, which only looks as if a key came twice", (text) => {
    const parsed = parseArguments(text);
    expect(parsed).toEqual({ ok: true, args: JSON.parse(text) });
  });

  it.each([
    ['{"__proto__":{}}'],
    ['{"__proto__":null}'],
    ['{"a":[{"b":{"__proto__":1}}]}'],
    ['{"\\u005f_proto__":{"admin":true}}'],
    ['{"__proto__":{"__proto__":{}}}'],
  ])("P8 refuses %s for its __proto__", (text) => {
    expect(codeOf(parseArguments(text))).toBe("proto_key");
  });

  it.each([
    ['{"constructor":{"prototype":{"admin":true}}}'],
    ['{"toString":"x","hasOwnProperty":1,"valueOf":null}'],
    ['{"then":"x","toJSON":"y","length":3}'],
    ['{"__proto":1,"proto__":2,"__PROTO__":3}'],
    ['{"a":"__proto__"}'],
  ])("P8 takes %s as plain data with no powers", (text) => {
    const parsed = parseArguments(text);
    expect(parsed).toEqual({ ok: true, args: JSON.parse(text) });
    expect(Object.getPrototypeOf(parsed.ok && parsed.args)).toBe(Object.prototype);
  });

  it.each([
    ["1e400", "unsafe_number"],
    ["-1e400", "unsafe_number"],
    ["9007199254740991", "ok"],
    ["9007199254740992", "unsafe_integer"],
    ["9007199254740993", "unsafe_integer"],
    ["-9007199254740991", "ok"],
    ["-9007199254740992", "unsafe_integer"],
    ["9007199254740991.0", "ok"],
    ["9.007199254740993e15", "unsafe_integer"],
    ["1e300", "ok"],
    ["-1e300", "ok"],
    ["1.5E+300", "ok"],
    ["1e20", "unsafe_integer"],
    ["1e21", "ok"],
    ["123456789012345678901234567890", "unsafe_integer"],
    ["-123456789012345678901234567890", "unsafe_integer"],
    ["1000000000000000000000000000000.0", "ok"],
    ["1e-400", "ok"],
    ["5e-324", "ok"],
    ["0.1", "ok"],
    ["4503599627370495.5", "ok"],
  ])("judges the number %s as %s, wherever it stands", (number, code) => {
    expect(codeOf(parseArguments(`{"a":${number}}`))).toBe(code);
    expect(codeOf(parseArguments(`{"a":[[${number}]]}`))).toBe(code);
    expect(codeOf(parseArguments(`{"a":{"b":${number}}}`))).toBe(code);
  });

  it("finds the integer that would be rounded beside floats and texts of digits", () => {
    const long = "9".repeat(30);
    const codes = [
      `{"a":1e300,"b":"${long}"}`,
      `{"a":1e300,"b":"\\"${long}"}`,
      `{"a":[1e300,${long}]}`,
    ];
    expect(codes.map((text) => codeOf(parseArguments(text)))).toEqual([
      "ok",
      "ok",
      "unsafe_integer",
    ]);
  });

  it.each([['{"a":-0}'], ['{"a":-0.0}'], ['{"a":-0e5}'], ['{"a":-1e-400}']])(
    "reads the minus zero of %s as zero",
    (text) => {
      const parsed = parseArguments(text);
      expect(parsed).toEqual({ ok: true, args: { a: 0 } });
      expect(parsed.ok && Object.is(parsed.args["a"], 0)).toBe(true);
    },
  );

  it("reads the minus zero of a list as zero", () => {
    const parsed = parseArguments('{"a":[-0,1]}');
    expect(parsed.ok && Object.is((parsed.args["a"] as number[])[0], 0)).toBe(true);
  });

  it.each([
    ["raw in a string", '{"a":"\ud800"}'],
    ["raw in a key", '{"\ud800":1}'],
    ["raw in a list", '{"a":["\udc00"]}'],
    ["escaped in a string", '{"a":"\\ud800"}'],
    ["escaped in a key", '{"\\udc00":1}'],
    ["escaped in a list", '{"a":["x\\ud83d"]}'],
    ["the wrong way round", '{"a":"\\ude00\\ud83d"}'],
    ["escaped at one half and raw at none", '{"a":"\\ud83dx"}'],
    ["raw beside an escape", '{"a":"\\u0041","b":"\udfff"}'],
  ])("refuses half of a surrogate pair %s", (_, text) => {
    expect(codeOf(parseArguments(text))).toBe("lone_surrogate");
  });

  it.each([
    ['{"a":"\\ud83d\\ude00"}'],
    ['{"a":"😀"}'],
    ['{"\\ud83d\\ude00":"\\u0000\\u001f"}'],
    ['{"a":"\ud83d\\ude00"}'],
  ])("takes the whole pair in %s", (text) => {
    expect(parseArguments(text)).toEqual({ ok: true, args: JSON.parse(text) });
  });
});

describe("parseArguments of an object", () => {
  it.each([
    ["a list", []],
    ["a number", 1],
    ["true", true],
    ["a symbol", Symbol("x")],
    ["a BigInt", 1n],
    ["a function", () => ({})],
  ])("refuses %s as no object", (_, given) => {
    expect(codeOf(parseArguments(given))).toBe("not_an_object");
  });

  it("P6 copies and freezes to the leaves, and leaves the original alone", () => {
    const given = { to: ["a", { b: 1 }] };
    const parsed = parseArguments(given);
    expect(parsed).toEqual({ ok: true, args: given });
    expect(isDeepFrozen(parsed.ok && parsed.args)).toBe(true);
    expect(Object.isFrozen(given)).toBe(false);
    given.to.push("c");
    (given.to[1] as { b: number }).b = 2;
    expect(parsed.ok && parsed.args).toEqual({ to: ["a", { b: 1 }] });
  });

  it("P2 turns a getter or a trap that throws into a refusal that repeats nothing of it", () => {
    const secret = (): never => {
      throw new Error("hunter2");
    };
    const { proxy, revoke } = Proxy.revocable({}, {});
    revoke();
    for (const given of [
      Object.defineProperty({}, "a", { get: secret, enumerable: true }),
      new Proxy({}, { ownKeys: secret }),
      new Proxy({}, { getPrototypeOf: secret }),
      new Proxy({ a: 1 }, { get: secret }),
      new Proxy({ a: 1 }, { getOwnPropertyDescriptor: secret }),
      { a: new Proxy([1], { get: secret }) },
      proxy,
    ]) {
      expect(parseArguments(given)).toEqual({
        ok: false,
        code: "not_json",
        reason: "a value is not plain JSON",
      });
    }
  });

  it("refuses what throws a fault that looks like core's own as not JSON", () => {
    const given = Object.defineProperty({}, "a", {
      enumerable: true,
      get: () => {
        throw { code: "ok", reason: "hunter2" };
      },
    });
    expect(codeOf(parseArguments(given))).toBe("not_json");
  });
});

describe("P8 parseArguments under a polluted prototype", () => {
  const planted = { admin: true, a: "planted", b: { planted: "\ud800" }, c: 2 ** 60 };

  it("reads text as it does without, and counts no planted key for one of its own", () => {
    for (const text of ['{"a":1,"b":{"c":[{}]}}', "{}", '{"x":{"y":{}}}']) {
      const under = whilePlanted(planted, () => parseArguments(text));
      expect(under).toEqual({ ok: true, args: JSON.parse(text) });
      expect(isDeepFrozen(under.ok && under.args)).toBe(true);
    }
    const members = Object.keys(planted).length;
    const limits = { ...defaultLimits, maxNodes: 1 };
    expect(members).toBeGreaterThan(1);
    expect(codeOf(whilePlanted(planted, () => parseArguments("{}", limits)))).toBe("ok");
  });

  it("still refuses a duplicate key, which no planted one makes up for", () => {
    for (const text of ['{"a":1,"a":2}', '{"x":{"y":1,"y":2}}', '{"x":1,"x":2,"z":{}}']) {
      expect(codeOf(whilePlanted(planted, () => parseArguments(text)))).toBe("duplicate_key");
      expect(codeOf(whilePlanted({ y: 1 }, () => parseArguments(text)))).toBe("duplicate_key");
    }
  });
});

describe("P6 a boxed string", () => {
  it("is no text and no object of arguments", () => {
    expect(codeOf(parseArguments(Object('{"a":1}')))).toBe("not_json");
  });
});

describe("P2 arguments as text", () => {
  it("may have whole numbers beside one that is written with an exponent", () => {
    expect(parseArguments('{"a":1e21,"b":5,"c":-7}')).toMatchObject({ ok: true });
  });

  it("P2 have no whole number of 22 digits or more, which would be rounded", () => {
    for (const sign of ["", "-"]) {
      for (const digits of [22, 23]) {
        expect(parseArguments(`{"a":${sign}1${"0".repeat(digits - 1)}}`)).toMatchObject({
          ok: false,
          code: "unsafe_integer",
        });
      }
    }
  });

  it("P2 have no whole number that only rounding makes as large as one with an exponent", () => {
    const nines = "9".repeat(21);
    expect(Number(nines)).toBe(1e21);
    for (const text of [`{"a":${nines}}`, `{"a":[1,-${nines}]}`]) {
      expect(parseArguments(text)).toMatchObject({ ok: false, code: "unsafe_integer" });
    }
  });
});
