import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { presidio, type Recognizer, sensitiveData } from "../src/index.js";
import { analyzerServer } from "./analyzer.js";
import { item } from "./items.js";

const mail = item("personal.email", 3);

function scanner(entities: readonly string[], recognizer: Recognizer) {
  return sensitiveData({ recognizers: [recognizer] }).scanner({ entities, recognizers: [] });
}

/** Finds what is at the places that it is given. */
function finding(places: (text: string) => readonly (readonly [number, number, string?])[]) {
  const asked: string[] = [];
  const recognizer: Recognizer = {
    name: "own",
    kinds: ["personal.person", "personal.location"],
    find: (text) => {
      asked.push(text);
      return places(text).map(([start, end, kind = "personal.person"]) => ({ start, end, kind }));
    },
  };
  return { asked, recognizer };
}

describe("an entity that a recognizer finds", () => {
  it("is found by Presidio's analyzer, with its score, beside what structure tells", async () => {
    const { url } = await analyzerServer();
    const entities = ["PERSON", "EMAIL_ADDRESS"];
    const { find, reach } = scanner(entities, presidio({ url }));
    const text = `𝒳: Anna Schmidt, London, ${mail}`;
    const at = text.indexOf(mail);
    expect(await find(text)).toEqual([
      { entity: "EMAIL_ADDRESS", start: at, end: at + mail.length, score: 1 },
      { entity: "PERSON", start: 4, end: 16, score: 0.85 },
    ]);
    expect(reach).toBe(Number.POSITIVE_INFINITY);
  });

  it("stands where it stood, and nothing that structure tells is shown", async () => {
    const { asked, recognizer } = finding((text) =>
      [...text.matchAll(/Zoe/g)].map(({ index }) => [index, index + 3]),
    );
    const { find } = scanner(["PERSON"], recognizer);
    const part = fc.oneof(
      fc.string({ unit: "grapheme", maxLength: 4 }),
      fc.constantFrom("Zoe", ` ${mail} `, "[redacted personal.email]", "[redacted"),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(part, { maxLength: 12 }), async (parts) => {
        asked.length = 0;
        const text = parts.join("");
        const found = await find(text);
        const [shown = ""] = asked;
        expect(shown).not.toContain(mail);
        expect(found.map(({ start, end }) => text.slice(start, end))).toEqual(
          Array.from(shown.matchAll(/Zoe/g), () => "Zoe"),
        );
        expect(new Set(found.map(({ start }) => start)).size).toBe(found.length);
      }),
    );
  });

  it("may go over a mark, and is none in it", async () => {
    const mark = "[redacted personal.email]";
    for (const hidden of [mail, mark]) {
      const { asked, recognizer } = finding((text) => [
        [text.indexOf(mark) + 1, text.indexOf(mark) + 9],
        [0, text.length],
        [text.indexOf(mark) - 4, text.indexOf(mark) + 4],
      ]);
      const { find } = scanner(["PERSON"], recognizer);
      const text = `To Zoe ${hidden} now`;
      const found = await find(text);
      expect(asked).toEqual([`To Zoe ${mark} now`]);
      expect(found.map(({ start, end }) => text.slice(start, end))).toEqual([text, "Zoe "]);
    }
  });

  it("is left out if it was not asked for", async () => {
    const { recognizer } = finding(() => [[0, 3, "personal.location"]]);
    expect(await scanner(["PERSON"], recognizer).find("Zoe")).toEqual([]);
  });

  it("is asked for only where it is looked for", async () => {
    const { asked, recognizer } = finding(() => [[0, 3]]);
    const { find, reach } = scanner(["EMAIL_ADDRESS"], recognizer);
    expect(await find("Zoe")).toEqual([]);
    expect(asked).toEqual([]);
    expect(reach).toBeLessThan(20_000);
  });

  it.each([
    ["that no recognizer finds", ["PERSON", "NRP"], "does not find 'NRP'"],
    ["in other letters", ["Person"], "does not find 'Person'"],
  ])("is refused by name: one %s", (_, entities, words) => {
    const { recognizer } = finding(() => []);
    expect(() => scanner(entities, recognizer)).toThrow(words);
  });
});
