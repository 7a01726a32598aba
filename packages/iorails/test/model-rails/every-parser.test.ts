import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { outputParsers as outputParserNames } from "../../src/config/prompts.js";
import { outputParsers } from "../../src/model-rails/parsers.js";

const read = (parser: string, answer: string) => outputParsers.get(parser)?.(answer).verdict;

describe("every parser", () => {
  it("is one that a configuration may name", () => {
    expect([...outputParsers.keys()]).toEqual(outputParserNames);
  });
  const long = 1_000_000;
  const shapes = [
    "a",
    " ",
    "no ",
    "<think>",
    "</think>",
    "<think></think>",
    "'",
    "prompt harm: ",
    "prompt harm\n",
    "user safety: ",
    "user safety: safe\n",
    "{",
    '{"a":',
    "-",
    "no-",
    "!",
    "unsafe,",
    "\u200b",
  ];
  it.each([...outputParsers.keys()])(
    "%s reads a megabyte in linear time and allows none of it",
    { tags: "long" },
    (parser) => {
      const started = performance.now();
      for (const shape of shapes) {
        const answer = shape.repeat(long / shape.length);
        expect(read(parser, answer)).not.toBe("allow");
        if (shape !== " ") expect(read(parser, `${answer} safe`)).not.toBe("allow");
      }
      expect(performance.now() - started).toBeLessThan(8_000);
    },
  );

  it.each([...outputParsers.keys()])("%s gives one of three verdicts for any text", (parser) => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (answer) => {
        expect(["allow", "block", "unparseable"]).toContain(read(parser, answer));
      }),
    );
  });
});
