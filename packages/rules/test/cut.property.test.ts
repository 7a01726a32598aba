import type { ContentPart } from "@toolstile/core";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Body, bare, cutTo, notice, shown, sumOf, textPart, textsIn } from "./cut.js";

const most = 300;
const text = fc
  .tuple(fc.string({ unit: fc.constantFrom("a", "😀", "é", "\n", '"'), maxLength: 30 }), fc.nat(60))
  .map(([unit, times]) => unit.repeat(times));
const part = fc.oneof(
  { weight: 4, arbitrary: text.map(textPart) },
  { weight: 1, arbitrary: fc.constant<ContentPart>({ type: "image", data: "z" }) },
);
const content = fc.oneof(text, fc.array(part, { maxLength: 5 }));
const leaf = fc.oneof(text, fc.integer(), fc.boolean(), fc.constant(null));
const structured = fc.oneof(
  fc.constant(undefined),
  fc.dictionary(fc.constantFrom("a", "b", "content"), fc.oneof(leaf, fc.array(leaf)), {
    maxKeys: 3,
  }),
);
const bodies = fc.oneof(
  fc.record({ content, structured }),
  text.map((text): Body => ({ content: [textPart(text)], structured: { content: text } })),
);

const withoutNotices = (text: string) => text.replaceAll(notice, "");
const notices = (text: string) => [...text.matchAll(notice)].map(([, count]) => Number(count));
const total = (counts: readonly number[]) => counts.reduce((sum, count) => sum + count, 0);

/** What is left where a rule says nothing, too. */
async function after(body: Body): Promise<Body | undefined> {
  const answer = await cutTo(most, body);
  if (typeof answer !== "string") return answer;
  return answer === "allow" ? body : undefined;
}

describe("of any result, `cut: n`", () => {
  it("never leaves more than n characters of the texts of a place, nor more than n of the rest", async () => {
    await fc.assert(
      fc.asyncProperty(bodies, async (body) => {
        const left = await after(body);
        if (left === undefined) return;
        expect(shown(left.content).length).toBeLessThanOrEqual(most);
        expect(sumOf(textsIn(left.structured))).toBeLessThanOrEqual(most);
        const parts = typeof left.content === "string" ? [] : left.content;
        const images = parts.filter(({ type }) => type === "image");
        const rest = images.map((image) => JSON.stringify(image)).join("") + bare(left.structured);
        expect(rest.length).toBeLessThanOrEqual(most);
      }),
    );
  });

  it("cuts nothing where no place is longer than n, and leaves what it has cut as it is", async () => {
    await fc.assert(
      fc.asyncProperty(bodies, async (body) => {
        const answer = await cutTo(most, body);
        const isLong = shown(body.content).length > most;
        const isLongInside = sumOf(textsIn(body.structured)) > most;
        if (typeof answer === "string") {
          if (answer === "allow") expect([isLong, isLongInside]).toEqual([false, false]);
          return;
        }
        expect(isLong || isLongInside).toBe(true);
        if (!isLong) expect(answer.content).toEqual(body.content);
        if (!isLongInside) expect(answer.structured).toEqual(body.structured);
        expect(await cutTo(most, answer)).toBe("allow");
      }),
    );
  });

  it("leaves no less of the texts of the content than n, but for five characters", async () => {
    await fc.assert(
      fc.asyncProperty(bodies, async (body) => {
        const left = await after(body);
        if (left === undefined) return;
        const before = shown(body.content).length;
        expect(shown(left.content).length).toBeGreaterThanOrEqual(Math.min(before, most - 5));
      }),
    );
  });

  it("says in its notices how many characters are left out, and halves none", async () => {
    await fc.assert(
      fc.asyncProperty(bodies, async (body) => {
        const left = await after(body);
        if (left === undefined) return;
        const sums = [
          [sumOf(textsOf(body)), sumOf(textsOf(left).map(withoutNotices)), textsOf(left)],
          [
            sumOf(textsIn(body.structured)),
            sumOf(textsIn(left.structured).map(withoutNotices)),
            textsIn(left.structured),
          ],
        ] as const;
        for (const [before, kept, texts] of sums) {
          expect(total(texts.flatMap(notices))).toBe(before - kept);
          expect(texts.every((text) => text.isWellFormed())).toBe(true);
        }
      }),
    );
  });
});

function textsOf({ content }: Body): readonly string[] {
  if (typeof content === "string") return [content];
  return content.flatMap((part) => (part.type === "text" ? [String(part["text"])] : []));
}
