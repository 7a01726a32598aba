import type { ContentPart, ResultGuardrail, ToolContent } from "@toolstile/core";
import { textOfResult } from "@toolstile/core/host";
import { call, result } from "@toolstile/testing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { rules } from "../src/index.js";

const most = 300;
const guard = rules({ rules: [{ id: "long", cut: most }] }) as ResultGuardrail;

const cutOf = async (content: ToolContent, structured?: object) => {
  const given = result(
    call(),
    content,
    structured === undefined ? {} : { structured: structured as never },
  );
  const answer = await guard.evaluateResult(call(), given);
  return answer.decision === "modify" ? answer.modifiedResult : answer.decision;
};

describe("a cut result", () => {
  it("keeps the beginning and the end, and says about how much is left out", async () => {
    const body = await cutOf(`BEGIN${"x".repeat(3_000_000)}END`);
    const text = (body as { content: string }).content;
    expect(text).toMatch(
      /^BEGINx+\n\[… about 2999\d00 characters left out by the rule long …\]\nx+END$|^BEGINx+\n\[… about 3000000 characters left out by the rule long …\]\nx+END$/,
    );
    expect(text.length).toBeLessThanOrEqual(most);
    expect(text.length).toBeGreaterThan(most - 10);
  });

  it("is not cut where it just fits", async () => {
    expect(await cutOf("x".repeat(most))).toBe("allow");
    expect(await cutOf("x".repeat(most + 1))).toMatchObject({ content: expect.any(String) });
  });

  it("keeps parts that are no text, and is withheld where they are too long by themselves", async () => {
    const image = { type: "image", data: "y".repeat(50) };
    const body = await cutOf([{ type: "text", text: "x".repeat(500) }, image]);
    expect((body as { content: ContentPart[] }).content.at(-1)).toEqual(image);
    expect(await cutOf([{ type: "image", data: "y".repeat(400) }])).toBe("deny");
    expect(await cutOf("short", { rows: "y".repeat(400) })).toBe("deny");
    expect(await cutOf("x".repeat(400), { rows: "y" })).toMatchObject({
      structured: { rows: "y" },
    });
  });

  it("has at most so many characters, no half characters, and is not cut again", async () => {
    const text = fc.string({ unit: fc.constantFrom("a", "😀", "é", "\n"), maxLength: 400 });
    const part = fc.oneof(
      text.map((text): ContentPart => ({ type: "text", text })),
      fc.constant<ContentPart>({ type: "image", data: "z" }),
    );
    const content = fc.oneof(text, fc.array(part, { maxLength: 5 }));
    await fc.assert(
      fc.asyncProperty(content, async (content) => {
        const body = await cutOf(content);
        const before = textOfResult(result(call(), content));
        if (typeof body === "string") {
          expect([body, before.length <= most]).toEqual([
            before.length <= most ? "allow" : "deny",
            before.length <= most,
          ]);
          return;
        }
        const after = textOfResult(result(call(), body.content));
        expect(after.length).toBeLessThanOrEqual(most);
        expect(after.isWellFormed()).toBe(true);
        expect(await cutOf(body.content)).toBe("allow");
      }),
    );
  });

  it("is cut where its one text stands in the structured content too, and nowhere else", async () => {
    const text = `BEGIN${'"'.repeat(2_000)}END`;
    for (const content of [text, [{ type: "text", text }]] as const) {
      const body = await cutOf(content as ToolContent, {
        content: text,
        more: [text, "BEGIN"],
        n: 1,
      });
      const { content: kept, structured } = body as { content: ToolContent; structured: object };
      const cut = typeof kept === "string" ? kept : String(kept[0]?.["text"]);
      expect(cut).toMatch(/^B.*left out by the rule long.*$/s);
      expect(structured).toEqual({ content: cut, more: [cut, "BEGIN"], n: 1 });
      const after = textOfResult(result(call(), kept, { structured: structured as never }));
      expect(after.length).toBeLessThanOrEqual(most);
      expect(await cutOf(kept, structured)).toBe("allow");
    }
    expect(await cutOf(text, { content: `${text}!` })).toBe("deny");
    expect(await cutOf(text, { content: text, more: "y".repeat(400) })).toBe("deny");
  });

  it("is withheld where its one text is the structured content as JSON: a part of JSON is none", async () => {
    const structured = { rows: "y".repeat(400) };
    expect(await cutOf(JSON.stringify(structured), structured)).toBe("deny");
  });

  it("has half of the characters in each of two places", async () => {
    const text = "x".repeat(1_000);
    const body = (await cutOf(text, { content: text })) as { content: string };
    expect(body.content.length).toBeGreaterThan(most / 2 - 20);
    expect(body.content.length).toBeLessThan(most / 2);
  });

  it("is cut by the rule that leaves least", async () => {
    const two = rules({
      rules: [
        { id: "a", cut: 500 },
        { id: "b", cut: 250 },
        { id: "c", cut: 400 },
      ],
    });
    const answer = await (two as ResultGuardrail).evaluateResult(
      call(),
      result(call(), "x".repeat(1_000)),
    );
    expect(answer).toMatchObject({ decision: "modify", metadata: { rule: "b" } });
  });
});
