import { describe, expect, it } from "vitest";
import { measureBloat } from "../../src/detection/context-bloat.js";

const limits = {
  max_chars: 5000,
  min_chars: 50,
  min_entropy: 3.5,
  max_repetition_ratio: 0.4,
  ngram_size: 3,
  max_run_ratio: 0.1,
};
const prose =
  "The lighthouse keeper walked along the shore at dawn, counting gulls and listening to the bell.";
const measure = (text: string, own: Partial<typeof limits> = {}, truncates = false) =>
  measureBloat(text, { ...limits, ...own }, truncates);

describe("the bloat of a text", () => {
  it.each<[string, string, Partial<typeof limits>, string | undefined]>([
    ["prose", prose, {}, undefined],
    ["two letters in turn", "ab".repeat(40), {}, "low_entropy"],
    [
      "a long number: ten signs cannot reach 3.5 bits",
      "31415926535897932384626433832795028841971693993751",
      {},
      "low_entropy",
    ],
    ["many marks at its end", prose + "!".repeat(20), {}, "long_run"],
    ["one sentence again and again", `${prose} `.repeat(8), {}, "high_repetition"],
    ["less than is measured", "a".repeat(49), {}, undefined],
    ["as much as is measured", "a".repeat(50), {}, "low_entropy"],
    [
      "low entropy, which no limit is set for",
      "a".repeat(60),
      { min_entropy: 0, max_run_ratio: 1 },
      undefined,
    ],
    ["nothing", "", { min_chars: 0 }, "low_entropy"],
  ])("of %s is found as what it is", (_, text, own, detection) => {
    expect(measure(text, own).detection).toBe(detection);
  });

  it("is measured in characters, not in halves of them", () => {
    const text = "😀😁😂🤣😃😄😅😆😉😊";
    const { metrics, cut, tooLong } = measure(text, { max_chars: 3 });
    expect(metrics).toMatchObject({ chars: 10, entropy: 3.322, longest_run_ratio: 0.1 });
    expect(tooLong).toBe(true);
    expect(cut).toBe("😀😁😂");
  });

  it("of a text of just the length is none", () => {
    expect(measure(prose, { max_chars: prose.length })).toMatchObject({
      tooLong: false,
      cut: prose,
    });
  });

  it("is measured after a cut, but as long as the text was before it", () => {
    const text = `${"ab".repeat(20)}${prose}`;
    expect(measure(text, { max_chars: 40 }, true).detection).toBe("low_entropy");
    expect(measure(text, { max_chars: 40, min_entropy: 2 }, false).detection).toBeUndefined();
    expect(measure("ab".repeat(20), { max_chars: 40 }, true).detection).toBeUndefined();
  });

  it("counts of repeated words those that came before", () => {
    expect(measure("a b c a b c", { ngram_size: 3 }).metrics.repetition_ratio).toBe(0.25);
    expect(measure("a b", { ngram_size: 3 }).metrics.repetition_ratio).toBe(0);
    expect(measure("a a a", { ngram_size: 1 }).metrics.repetition_ratio).toBe(0.667);
  });

  it("of a long text is taken from its start, middle and end", () => {
    const varied = Array.from({ length: 2_666 }, (_, at) => String.fromCharCode(0x4e00 + at)).join(
      "",
    );
    const dull = "a".repeat(4_000);
    const text = varied + dull + varied + dull + varied;
    // All the dull parts are left out.
    expect(measure(text).metrics.entropy).toBeCloseTo(Math.log2(2_666), 2);
  });
});
