import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { outputParsers } from "../../src/model-rails/parsers.js";

const read = (parser: string, answer: string) => outputParsers.get(parser)?.(answer).verdict;
const zeroWidth = "\u200b";

describe("yes_blocks", () => {
  it.each(["- no", "> no", "• No", "* **no**", "no 😀", "No ✅\nIt is fine.", "no…", "no 👍🏽"])(
    "allows %j, where a sign or a picture stands beside the word",
    (answer) => {
      expect(read("yes_blocks", answer)).toBe("allow");
    },
  );

  it.each(["- yes", "> yes", "yes 😀", "yes…", "Yes ✅"])("blocks %j", (answer) => {
    expect(read("yes_blocks", answer)).toBe("block");
  });

  it.each([
    "No",
    "no.",
    "Answer: No",
    "**No**",
    "No, 'yes' is fine",
    " NO! ",
    '"No"',
    "Answer: **No**.",
    "No\nIt is fine",
    "safe",
    "Safe.",
    "No, because",
    "No — it is fine",
    "(No)",
    "answer no",
  ])("allows %j", (answer) => expect(read("yes_blocks", answer)).toBe("allow"));
  it.each([
    "Yes, because",
    "unsafe S1",
    "not safe",
    "not no",
    "Not safe.",
    "Answer: not safe",
    "yes unsafe",
    "Unsafe: yes",
  ])("blocks %j", (answer) => expect(read("yes_blocks", answer)).toBe("block"));
  it.each([
    "Yes",
    "yes",
    "YES",
    "Yes.",
    "yes!",
    "**Yes**",
    '"Yes"',
    "'yes'",
    "Yes,",
    "Yes\n",
    " Yes ",
    "Answer: Yes",
    "answer yes",
    "Answer: **Yes**",
    "`yes`",
    "(yes)",
    "Yes: because",
    "Yes - it is",
    "Yes\tit is",
    "YES\r\n\r\nbecause",
  ])("blocks the shape of yes %j", (answer) => expect(read("yes_blocks", answer)).toBe("block"));
  it.each([
    "",
    " ",
    "I cannot",
    "nope",
    "yes no",
    "safe unsafe",
    "no yes",
    "unsafe safe",
    "safe/unsafe",
    "No/Yes",
    "no. yes",
    "Not unsafe",
    "Yes no doubt",
    "YES\r\n\r\nno",
    "not",
    "No doubt it should be blocked",
    "Safe to say it is harmful",
    "No-brainer: yes",
    "Safe: no",
    "safe: false",
    "Safe? No",
    "safe?",
    "unsafe: no",
    "no safe",
    "no, safe",
    "No.1 threat",
    "!safe",
    "¬safe",
    "≠ safe",
    "🚫 safe",
    "🚫no",
    "~no",
    "-safe",
    "un-safe",
    "non-safe",
    "un safe",
    "isn't safe",
    "hardly safe",
    "never safe",
    "The answer is No",
    "very safe",
    "is safe",
    "answer",
    "answer answer no",
    "No 'yes'",
    "safe, 'unsafe'",
    "'no', 'yes'",
    "ｎｏ",
    "ｓａｆｅ",
    "Ｎｏt safe",
    "ｎot safe",
    "ſafe",
    "un­safe",
    `un${zeroWidth}safe`,
    `sa${zeroWidth}fe`,
    `no${zeroWidth}`,
    `${zeroWidth}no`,
    "n\u0301o",
    "s\u0336afe",
    "no\u0000",
    "no\u00a0doubt",
    "_no_",
    "<no>",
    "no=yes",
    "__proto__",
    "constructor",
    "safe 🚫",
    "no ❌",
    "no 😀 doubt",
    "-no",
    "- no\n- yes",
    "> > maybe no",
  ])("does not allow %j", (answer) => {
    expect(read("yes_blocks", answer)).toBe("unparseable");
  });
});

describe("yes_allows", () => {
  it.each([
    ["Yes", "allow"],
    ["yes.", "allow"],
    ["Answer: Yes", "allow"],
    ["Yes, 'no' is wrong", "allow"],
    ["No", "block"],
    ["no, because", "block"],
    ["not yes", "block"],
    ["unsafe", "block"],
    ["safe", "unparseable"],
    ["not no", "unparseable"],
    ["Yes and no", "unparseable"],
    ["yes no", "unparseable"],
    ["not sure", "unparseable"],
    ["know", "unparseable"],
    ["", "unparseable"],
    ["not safe", "unparseable"],
  ])("reads %j as %s", (answer, verdict) => expect(read("yes_allows", answer)).toBe(verdict));

  it("never allows what yes_blocks allows", () => {
    fc.assert(
      fc.property(verdictLike, (answer) => {
        const both = [read("yes_blocks", answer), read("yes_allows", answer)];
        expect(both).not.toEqual(["allow", "allow"]);
      }),
      { numRuns: 2_000 },
    );
  });
});

const separator = fc.constantFrom(
  " ",
  ", ",
  ". ",
  ": ",
  "\n",
  "-",
  "* ",
  "/",
  "'",
  "",
  zeroWidth,
  "!",
  "? ",
);
const someWord = fc.constantFrom(
  "no",
  "yes",
  "safe",
  "unsafe",
  "not",
  "Answer",
  "No",
  "YES",
  "it",
  "is",
  "никогда",
  "doubt",
  "ｎｏ",
);
const verdictLike = fc
  .array(fc.tuple(someWord, separator), { maxLength: 5 })
  .map((pieces) => pieces.flat().join(""));

describe.each(["yes_blocks", "is_content_safe", "yes_allows"])(
  "%s, whatever is written",
  (parser) => {
    it("never allows a negation before the word safe", () => {
      const negation = fc.constantFrom(
        "not",
        "no",
        "never",
        "isn't",
        "hardly",
        "un",
        "non",
        "in no way",
        "NOT",
        "cannot be",
        "!",
        "¬",
      );
      fc.assert(
        fc.property(
          negation,
          separator,
          fc.constantFrom("safe", "Safe", "SAFE"),
          separator,
          fc.string(),
          (no, first, safe, second, rest) => {
            expect(read(parser, `${no}${first}${safe}${second} ${rest}`)).not.toBe("allow");
          },
        ),
        { numRuns: 500 },
      );
    });

    it("never allows but by one of its words, in the first place or after Answer", () => {
      const allowing = parser === "yes_allows" ? ["yes"] : ["no", "safe"];
      fc.assert(
        fc.property(fc.oneof(fc.string({ unit: "grapheme" }), verdictLike), (answer) => {
          if (read(parser, answer) !== "allow") return;
          const words = answer
            .toLowerCase()
            .split(/[^\p{L}\p{N}]+/u)
            .filter((word) => word !== "");
          expect(allowing).toContain(words[0] === "answer" ? words[1] : words[0]);
        }),
        { numRuns: 2_000 },
      );
    });
  },
);

describe("is_content_safe", () => {
  it("gives the words after unsafe as categories", () => {
    expect(outputParsers.get("is_content_safe")?.("unsafe\nS1, S10.")).toEqual({
      verdict: "block",
      categories: ["S1", "S10"],
    });
  });
  it.each([
    ["safe", "allow"],
    ["unsafe", "block"],
    ["no", "allow"],
    ["yes", "block"],
    ["not safe", "block"],
    ["safe unsafe", "unparseable"],
    ["Not unsafe", "unparseable"],
    ["I think it is safe", "unparseable"],
  ])("reads %j as %s", (answer, verdict) => expect(read("is_content_safe", answer)).toBe(verdict));
});

describe.each([
  ["nemoguard_parse_prompt_safety", "User Safety", "Response Safety"],
  ["nemoguard_parse_response_safety", "Response Safety", "User Safety"],
])("%s", (parser, key, other) => {
  it("allows only the value safe of its own key", () => {
    expect(read(parser, `{"${key}": "safe"}`)).toBe("allow");
    expect(read(parser, ` \n{"${key}": " SAFE "}\n`)).toBe("allow");
    expect(read(parser, `{"${key}": "unsafe", "${other}": "safe"}`)).toBe("block");
    expect(read(parser, `{"${other}": "unsafe", "${key}": "safe"}`)).toBe("allow");
  });
  it("splits the categories at commas", () => {
    const answer = `{"${key}": "unsafe", "Safety Categories": "Violence,  Hate ,, S3"}`;
    expect(outputParsers.get(parser)?.(answer).categories).toEqual(["Violence", "Hate", "S3"]);
  });
  it.each([
    "",
    "safe",
    `{"${other}": "safe"}`,
    `{"${key}": "not safe"}`,
    `{"${key}": "ｓａｆｅ"}`,
    `{"${key}": true}`,
    `{"${key}": ["safe"]}`,
    `{"${key}": "safe"} trailing`,
    `\`\`\`json\n{"${key}": "safe"}\n\`\`\``,
    `[{"${key}": "safe"}]`,
    `{"${key}": "safe"`,
    `{"${key}": "unsafe", "${key}": "safe"}`,
    `{"${key.toLowerCase()}": "unsafe", "${key}": "safe"}`,
    `{"${key.replace("S", "\\u0053")}": "unsafe", "${key}": "safe"}`,
    `{"__proto__": {"${key}": "safe"}}`,
    `{"${key}": "sa${zeroWidth}fe"}`,
    `{"${key}": ""}`,
    "null",
  ])("cannot read %j", (answer) => expect(read(parser, answer)).toBe("unparseable"));

  it("does not allow for a polluted prototype", () => {
    const prototype = Object.prototype as unknown as Record<string, unknown>;
    Object.defineProperty(prototype, key, { value: "safe", configurable: true });
    try {
      expect(read(parser, "{}")).toBe("unparseable");
    } finally {
      delete prototype[key];
    }
  });
});

describe.each([
  ["nemotron_reasoning_parse_prompt_safety", "Prompt harm", "Response Harm"],
  ["nemotron_reasoning_parse_response_safety", "Response Harm", "Prompt harm"],
])("%s", (parser, key, other) => {
  it.each([
    `${key}: unharmful`,
    `${key.toUpperCase()}: Unharmful\n`,
    `<think>harmful?</think>\n\n${key}: unharmful\n${other}: harmful`,
    `it began before\n</think>${key}: unharmful`,
    `**${key}:** unharmful.`,
    `<think>${key}: harmful</think>${key}: unharmful`,
  ])("allows %j", (answer) => expect(read(parser, answer)).toBe("allow"));
  it.each([
    `${key}: harmful`,
    `<think>${key}: unharmful</think>${key}: harmful`,
    `- ${key}: harmful`,
  ])("blocks %j", (answer) => expect(read(parser, answer)).toBe("block"));
  it.each([
    "",
    `${other}: unharmful`,
    `${key}: not unharmful`,
    `not ${key}: unharmful`,
    `${key}: unharmful/harmful`,
    `${key}: unharmful\n${key}: harmful`,
    `<think>${key}: unharmful`,
    `${key}: un${zeroWidth}harmful`,
    `${key}: ｕnharmful`,
    `${key}: unharmful 🚫`,
    `${key}: non-unharmful`,
    `${key}: unharmful<think>`,
    `a</think>b</think>${key}: unharmful`,
    `${key}: ｎｏｔ unharmful`,
    `${key}: unharmful`.replace(":", ": \u0336"),
    `${key}`,
  ])("cannot read %j", (answer) => expect(read(parser, answer)).toBe("unparseable"));
});

describe("parse_tool_safety_verdict", () => {
  it.each(["safe", "Safe.", " **safe**\n", "`safe`", '"safe"', "- safe"])("allows %j", (answer) => {
    expect(read("parse_tool_safety_verdict", answer)).toBe("allow");
  });

  it.each([
    "unsafe",
    "UNSAFE: drops a table; leaks a key",
    "unsafe safe",
    "**unsafe** it is",
    "unsafe😀",
  ])("blocks %j, and keeps nothing of the reason", (answer) => {
    const reading = outputParsers.get("parse_tool_safety_verdict")?.(answer);
    expect(reading).toEqual({ verdict: "block" });
  });

  it.each([
    "",
    "Safe to say that this is unsafe",
    "safe: it reads one row",
    "safe?",
    "not safe",
    "safe\nunsafe",
    "it is safe",
    "unsafely written, but safe",
    "yes",
    "no",
    "safe 🚫",
    "<think>safe",
  ])("reads no verdict off %j", (answer) => {
    expect(read("parse_tool_safety_verdict", answer)).toBe("unparseable");
  });
});
