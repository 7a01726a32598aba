import { describe, expect, it } from "vitest";
import { compileSchema } from "../../src/index.js";

const holds = (pattern: string, text: string) =>
  compileSchema({ pattern }).check(text) === undefined;

/** What a pattern takes and what it does not, by hand. */
const cases: [string, string, readonly string[], readonly string[]][] = [
  [
    "zod's e-mail address",
    "^(?!\\.)(?!.*\\.\\.)([A-Za-z0-9_'+\\-\\.]*)[A-Za-z0-9_+-]@([A-Za-z0-9][A-Za-z0-9\\-]*\\.)+[A-Za-z]{2,}$",
    ["bo@shop.example", "a.b+tag@mail.shop.example"],
    [".bo@shop.example", "b..o@shop.example", "bo", "bo@shop", "bo@shop..example"],
  ],
  [
    "zod's host name",
    "^(?=.{1,253}\\.?$)[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?(?:\\.[a-zA-Z0-9](?:[-0-9a-zA-Z]{0,61}[0-9a-zA-Z])?)*\\.?$",
    ["shop.example", "shop.example.", "a", `${"a1.".repeat(84)}b`],
    ["", "-shop.example", "shop..example", `${"a1.".repeat(85)}bcd`],
  ],
  [
    "zod's domain",
    "^(?=.{1,253}$)([a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?\\.)+[a-zA-Z]{2,63}$",
    ["shop.example"],
    ["shop", "shop.e", `${"a1.".repeat(84)}bcd`],
  ],
  [
    "zod's duration",
    "^P(?:(\\d+W)|(?!.*W)(?=\\d|T\\d)(\\d+Y)?(\\d+M)?(\\d+D)?(T(?=\\d)(\\d+H)?(\\d+M)?(\\d+([.,]\\d+)?S)?)?)$",
    ["P3W", "P1Y", "P2DT3H", "PT5M", "PT1.5S", "P1Y2M3DT4H5M6S"],
    ["P", "PT", "P1DT", "P1Y3W", "1D", "P1D2Y"],
  ],
  [
    "zod's extended duration",
    "^[-+]?P(?!$)(?:(?:[-+]?\\d+Y)|(?:[-+]?\\d+[.,]\\d+Y$))?(?:(?:[-+]?\\d+D)|(?:[-+]?\\d+[.,]\\d+D$))?(?:T(?=[\\d+-])(?:(?:[-+]?\\d+H)|(?:[-+]?\\d+[.,]\\d+H$))?(?:[-+]?\\d+(?:[.,]\\d+)?S)?)??$",
    ["-P1Y", "P-2D", "PT+3H", "P1.5Y", "PT0.5S", "P1DT-3H2S"],
    ["P", "PT", "+P", "P1.5Y2D", "P1DT"],
  ],
  [
    "zod's emoji",
    "^(?=[\\s\\S]*[\\p{Extended_Pictographic}\\p{Regional_Indicator}\\u20E3])[\\p{Extended_Pictographic}\\p{Emoji_Component}]+$",
    ["\u{1F600}", "\u{1F1E9}\u{1F1EA}", "1\uFE0F\u20E3"],
    ["12", "#", "", "a\u{1F600}"],
  ],
  [
    "zod's IBAN",
    "^[A-Z]{2}(?!00|01|99)\\d{2}[A-Z0-9]{11,30}$",
    ["GB33BUKB20201555555555"],
    ["GB00BUKB20201555555555", "GB99BUKB20201555555555"],
  ],
  [
    "a pass phrase",
    "^(?=.*\\d)(?=.*[A-Z]).{6,}$",
    ["abCd3f", "3AAAAA"],
    ["abcd3f", "abCdef", "A3"],
  ],
  ["a relative path", "^(?!/)(?!.*\\.\\.)[\\w./-]+$", ["a/b.txt"], ["/a", "a/../b", "..", ""]],
  ["a word that is not reserved", "^(?!(?:root|admin)$)\\w+$", ["roots", "bo"], ["root", "admin"]],
  ["no leading dash in each part", "^(?:(?!-)[a-z-]+\\.)+$", ["a-.b."], ["-a.", "a.-b."]],
  ["a lookahead at the end", "^ab(?!c)", ["ab", "abd"], ["abc", "a"]],
  ["a lookahead without an anchor", "x(?=\\d)", ["ax1"], ["x", "xa"]],
];

describe("a pattern with lookahead", () => {
  it.each(cases)("decides as it says: %s", (_, pattern, valid, invalid) => {
    expect(valid.filter((text) => !holds(pattern, text))).toEqual([]);
    expect(invalid.filter((text) => holds(pattern, text))).toEqual([]);
  });

  it("P18 is answered on long texts that tempt an engine to go back", () => {
    const pattern = "^(?!.*(?:a+)+b)(?=.*c).*$";
    expect(holds(pattern, `${"a".repeat(2_000)}c`)).toBe(true);
    expect(holds(pattern, `${"a".repeat(2_000)}bc`)).toBe(false);
  });

  it("P18 never takes a text that is too long for RE2 for one without what is ruled out", () => {
    const ruledOut = `${"a".repeat(100_000)}bc`;
    expect(holds("^(?!.*(?:a+)+b)", ruledOut)).toBe(false);
    expect(compileSchema({ not: { pattern: "(?:a|b|ab)*c" } }).check(ruledOut)).toMatchObject({
      keyword: "cost",
    });
  });

  it("P18 is refused where taking it apart would multiply it", () => {
    const optional = "(?:a?|b?)".repeat(30);
    expect(() => compileSchema({ pattern: `^x*(?=[ab])${optional}$` })).toThrow("taken apart");
    const groups = "(?:(?=a)a|b)".repeat(8);
    expect(() => compileSchema({ pattern: `^x*${groups}(?=cd)` })).toThrow("taken apart");
  });
});
