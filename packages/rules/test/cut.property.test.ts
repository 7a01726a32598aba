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
/** Says more than a text, so that it stays when its text is cut. */
const annotated = text.map((text): ContentPart => ({ ...textPart(text), a: 1 }));
const many = fc
  .tuple(fc.oneof(part, annotated), fc.nat(40))
  .map(([part, times]) => Array.from({ length: times }, () => part));
const content = fc.oneof(
  text,
  fc.array(part, { maxLength: 5 }),
  fc.array(fc.oneof(part, annotated), { maxLength: 5 }),
  fc.tuple(many, many).map((each) => each.flat()),
);
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
        const rest = silent(left.content) + bare(left.structured);
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
        expect(isLong || isLongInside || hasManyBrackets(body)).toBe(true);
        if (!isLong) expect(shown(answer.content)).toEqual(shown(body.content));
        if (!isLongInside) expect(answer.structured).toEqual(body.structured);
        expect(await cutTo(most, answer)).toBe("allow");
      }),
    );
  });

  it("leaves no less of the texts of the content than n, but for five characters, unless a part says more than a text", async () => {
    await fc.assert(
      fc.asyncProperty(bodies, async (body) => {
        const left = await after(body);
        if (left === undefined || JSON.stringify(body.content).includes('"a":1')) return;
        const before = shown(body.content).length;
        expect(shown(left.content).length).toBeGreaterThanOrEqual(Math.min(before, most - 5));
      }),
    );
  });

  it("says in its notices how many characters are left out, and halves none", async () => {
    await fc.assert(
      fc.asyncProperty(bodies, async (body) => {
        const left = await after(body);
        // Where parts are made one, the line breaks between them are in the text.
        if (left === undefined || hasManyBrackets(body)) return;
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

function hasManyBrackets({ content, structured }: Body): boolean {
  return (silent(content) + bare(structured)).length > most;
}

/** All of a content but its texts, as JSON. */
function silent(content: Body["content"]): string {
  if (typeof content === "string") return "";
  return JSON.stringify(
    content.map((part) => (part.type === "text" ? { ...part, text: "" } : part)),
  );
}

function textsOf({ content }: Body): readonly string[] {
  if (typeof content === "string") return [content];
  return content.flatMap((part) => (part.type === "text" ? [String(part["text"])] : []));
}
