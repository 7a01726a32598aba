import { sensitiveData } from "@toolstile/redact";
import fc from "fast-check";
import { describe, expect, inject, it } from "vitest";
import { type Finding, masked } from "../../src/model-rails/masked.js";
import { maskedStream } from "../../src/model-rails/masked-stream.js";
import type { SensitiveData, SensitiveDataPort } from "../../src/model-rails/sensitive-data.js";
import { plain } from "./plain.js";

/** Finds what a pattern finds, under the name of an entity, with the score that belongs to it. */
const port: SensitiveDataPort = {
  scanner: ({ entities, recognizers, scoreThreshold }) => {
    seen.push({ entities, recognizers, scoreThreshold });
    return {
      reach: 20,
      find: (text) =>
        entities.flatMap((entity): SensitiveData[] =>
          Array.from(
            text.matchAll(entity === "EMAIL_ADDRESS" ? /\w+@\w+\.\w+/g : /\d{9}/g),
            (match) => ({
              entity,
              start: match.index,
              end: match.index + match[0].length,
              score: entity === "EMAIL_ADDRESS" ? 1 : 0.05,
            }),
          ),
        ),
    };
  },
};
const seen: unknown[] = [];
const section = (options: object, recognizers: readonly object[] = []) => ({
  sensitive_data_detection: { recognizers, input: options, output: options },
});
const text = "write to nils@example.org, ref 536904399";

describe("sensitive data", () => {
  it.each([
    ["input", "detect sensitive data on input"],
    ["output", "detect sensitive data on output"],
  ] as const)("blocks where it is to be detected on %s, and names the kinds", async (way, flow) => {
    const options = { entities: ["EMAIL_ADDRESS"] };
    const found = await plain(way, flow, section(options), text, { port });
    expect(found.verdict).toEqual({
      status: "blocked",
      basis: "policy",
      reason: flow,
      metadata: { entities: ["EMAIL_ADDRESS"] },
    });
  });

  it("is masked by the entity's name, whatever the token says, and counts from its threshold on", async () => {
    const mask = async (options: object) =>
      (await plain("output", "mask sensitive data on output", section(options), text, { port }))
        .text;
    const entities = ["EMAIL_ADDRESS", "US_BANK_NUMBER"];
    expect(await mask({ entities, mask_token: "#" })).toBe(
      "write to <EMAIL_ADDRESS>, ref 536904399",
    );
    expect(await mask({ entities, score_threshold: 0.05 })).toBe(
      "write to <EMAIL_ADDRESS>, ref <US_BANK_NUMBER>",
    );
    expect(await mask({ entities: [] })).toBeUndefined();
  });

  it("is looked for as the configuration says", async () => {
    seen.length = 0;
    const recognizers = [{ name: "badge", supported_entity: "BADGE" }];
    const options = { entities: ["BADGE"], score_threshold: 0.3 };
    await plain("input", "detect sensitive data on input", section(options, recognizers), "x", {
      port,
    });
    expect(seen).toEqual([{ entities: ["BADGE"], recognizers, scoreThreshold: 0.3 }]);
  });

  it.each<[string, SensitiveDataPort | undefined]>([
    ["there is no port", undefined],
    [
      "the port throws",
      {
        scanner: () => ({
          reach: 0,
          find: () => {
            throw new Error("hunter2");
          },
        }),
      },
    ],
    [
      "a finding must be a part of the text",
      { scanner: () => ({ reach: 0, find: () => [{ entity: "X", start: 3, end: 99, score: 1 }] }) },
    ],
    [
      "a finding is empty",
      { scanner: () => ({ reach: 0, find: () => [{ entity: "X", start: 3, end: 3, score: 1 }] }) },
    ],
    [
      "a score is none",
      {
        scanner: () => ({
          reach: 0,
          find: () => [{ entity: "X", start: -3, end: 3, score: Number.NaN }],
        }),
      },
    ],
    ["nothing is given", { scanner: () => ({ reach: 0, find: () => undefined as never }) }],
  ])("blocks as failed where %s", async (_, given) => {
    const options = { entities: ["X"] };
    const found = await plain("input", "mask sensitive data on input", section(options), text, {
      port: given as never,
    });
    expect(found.verdict).toMatchObject({ status: "blocked", basis: "error" });
    expect(JSON.stringify(found.verdict)).not.toContain("hunter2");
  });
});

describe("a text that is masked as it comes", () => {
  /** At most five letters and five digits, and no x before them. */
  const find = async (judged: string): Promise<Finding[]> =>
    Array.from(judged.matchAll(/(?<!x)[a-c]{1,5}-[0-9]{1,5}(?![0-9])/g), ({ index, 0: whole }) => ({
      entity: "ID",
      start: index,
      end: index + whole.length,
      score: 1,
    }));
  const whole = (judged: string): string =>
    judged.replace(/(?<!x)[a-c]{1,5}-[0-9]{1,5}(?![0-9])/g, "<ID>");
  async function inPieces(pieces: readonly string[], reach: number) {
    const stream = maskedStream(find, reach, ({ entity }) => `<${entity}>`);
    const written: string[] = [];
    for (const piece of pieces) written.push(await stream.take(piece, false));
    written.push(await stream.take("", true));
    return written;
  }

  it("is what it would be as a whole, however it is cut", { tags: "longer" }, async () => {
    const piece = fc.string({
      unit: fc.constantFrom("a", "b", "-", "1", "2", " ", "x", "😀"),
      maxLength: 9,
    });
    await fc.assert(
      fc.asyncProperty(
        fc.array(piece, { maxLength: 12 }),
        fc.integer({ min: 12, max: 20 }),
        async (pieces, reach) => {
          expect((await inPieces(pieces, reach)).join("")).toBe(whole(pieces.join("")));
        },
      ),
      { numRuns: inject("long") ? 50_000 : 1_000 },
    );
  });

  it.each([
    ["as it is", (run: string) => run],
    ["behind an escape", (run: string) => `\\n${run}`],
    ["with digits in escapes of JSON", (run: string) => run.replaceAll("b", "\\u0062")],
    ["with digits in percent escapes", (run: string) => run.replaceAll("Z", "%5a")],
    ["in lines of an odd length", (run: string) => run.replace(/.{77}/g, "$&\n")],
  ])(
    "masks mail in a long run of base64 wherever it is cut: %s",
    {
      tags: "longer",
    },
    async (_, written) => {
      const mail = sensitiveData().scanner({ entities: ["EMAIL_ADDRESS"], recognizers: [] });
      const filler = "The report says how each department spent its budget. ".repeat(250);
      const run = Buffer.from(`${filler}mail zoe@brawyn.de now. ${filler}`).toString("base64");
      for (const before of inject("long") ? [0, 3] : [3]) {
        const text = `${"x".repeat(before)}:${written("x".repeat(before) + run)} end`;
        const found = await mail.find(text);
        expect(found).toHaveLength(1);
        for (const size of [inject("long") ? 1 : 100, 3_000]) {
          const stream = maskedStream(
            async (text) => mail.find(text),
            mail.reach,
            ({ entity }) => `<${entity}>`,
          );
          let out = "";
          for (let at = 0; at < text.length; at += size)
            out += await stream.take(text.slice(at, at + size), at + size >= text.length);
          expect(out).toBe(masked(text, found, ({ entity }) => `<${entity}>`));
        }
      }
    },
  );

  it("looks for nothing before a part of what it reaches can leave", async () => {
    const looked: number[] = [];
    const seen = async (text: string) => {
      looked.push(text.length);
      return [];
    };
    const stream = maskedStream(seen, 320, () => "");
    for (let at = 0; at < 400; at++) await stream.take("x", false);
    expect(looked).toEqual([340, 360, 380, 400]);
  });

  it("sends no half of a finding, and no character twice", async () => {
    expect(await inPieces(["to abc", "-12", "3 and then a long tail", " of words"], 12)).toEqual([
      "",
      "",
      "to <ID> and then",
      " a long t",
      "ail of words",
    ]);
  });

  it("leaves as soon as nothing can change it any more", async () => {
    const written = await inPieces(["x".repeat(30), "y"], 12);
    expect(written).toEqual(["x".repeat(18), "x", `${"x".repeat(11)}y`]);
  });

  it("waits for the end where a place may depend on any other", async () => {
    expect(await inPieces(["abc-123 ", "x".repeat(50)], Number.POSITIVE_INFINITY)).toEqual([
      "",
      "",
      `<ID> ${"x".repeat(50)}`,
    ]);
  });

  it("is not cut between the halves of a character", async () => {
    const written = await inPieces(["😀".repeat(9), "x"], 12);
    expect(written.every((each) => each.isWellFormed())).toBe(true);
  });
});
