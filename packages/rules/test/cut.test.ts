import {
  allowAll,
  type ContentPart,
  type JsonValue,
  type ResultGuardrail,
  ToolRunner,
  tool,
  toolResult,
} from "@toolstile/core";
import { call, result } from "@toolstile/testing";
import { describe, expect, it } from "vitest";
import { rules } from "../src/index.js";
import { type Body, cutTo, notice, shown, textPart } from "./cut.js";

const most = 300;
const cut = (body: Body) => cutTo(most, body);
const both = (text: string): Body => ({ content: [textPart(text)], structured: { content: text } });

describe("a cut result", () => {
  it("keeps the beginning and the end, and says how much is left out", async () => {
    const { content } = (await cut({ content: `BEGIN${"x".repeat(3_000_000)}END` })) as Body;
    expect(content).toMatch(
      /^BEGINx+\n\[… 2999760 characters left out by the rule long …\]\nx+END$/,
    );
    expect(content).toHaveLength(most);
  });

  it.each([
    [9_900, 9_900],
    [10_000, 10_000],
    [15_000, 15_000],
    [19_000, 19_000],
    [20_000, 20_000],
    [20_001, 20_000],
    [3_000_000, 20_000],
  ])("leaves of a text of %i characters, said in both places, %i in each", async (length, left) => {
    for (const unit of ["x", "\n", '"', "\u0001"]) {
      const body = both(unit.repeat(length));
      const after = await cutTo(20_000, body);
      const { content, structured } = after === "allow" ? body : (after as Body);
      expect(shown(content)).toHaveLength(left);
      expect(structured).toEqual({ content: shown(content) });
    }
  });

  it("is not cut at `cut: 2000` where a text of 1,900 characters stands in both places", async () => {
    for (const length of [999, 1_900, 2_000]) {
      expect(await cutTo(2_000, both("x".repeat(length)))).toBe("allow");
    }
  });

  it("has all of the length also where one part says everything and another is short", async () => {
    const parts = [textPart("a"), textPart("x".repeat(10_000)), textPart("b")];
    const { content } = (await cut({ content: parts })) as { content: ContentPart[] };
    expect(content.map(({ text }) => String(text).at(0))).toEqual(["a", "x", "b"]);
    expect(shown(content).length).toBeGreaterThanOrEqual(most - 2);
  });

  it("keeps the first and the last of many small texts, with one notice", async () => {
    const parts = Array.from({ length: 100 }, (_, index) => textPart(`part ${index}`));
    // Each length has the cut fall on another place: within a part, and between two.
    for (let length = 200; length < 240; length++) {
      const { content } = (await cutTo(length, { content: parts })) as Body;
      expect(shown(content)).toMatch(/^part 0\npart 1\n[\s\S]*\npart 99$/);
      expect([...shown(content).matchAll(notice)]).toHaveLength(1);
      expect(shown(content).length).toBeLessThanOrEqual(length);
      expect(shown(content).length).toBeGreaterThanOrEqual(length - 3);
    }
  });

  it("keeps images, which take nothing from the texts, and is withheld where they are too long", async () => {
    const image = { type: "image", data: "y".repeat(240) };
    const text = textPart("x".repeat(500));
    const { content } = (await cut({ content: [text, image] })) as { content: ContentPart[] };
    expect(content.at(-1)).toEqual(image);
    expect(content[0]?.["text"]).toHaveLength(most);
    expect(await cut({ content: [image, image] })).toBe(
      "the result has more than 300 characters that are no text, and these cannot be cut",
    );
  });

  it("is withheld where what stands beside the texts of parts is too long", async () => {
    const part = { ...textPart("short"), annotations: { audience: ["y".repeat(400)] } };
    expect(await cut({ content: [part] })).toMatch("no text");
    const kept = { ...textPart("x".repeat(400)), annotations: { priority: 1 } };
    expect(await cut({ content: [kept] })).toMatchObject({
      content: [{ annotations: { priority: 1 } }],
    });
  });

  it("has its small parts of text in a row made one, by line breaks, where their brackets are too long", async () => {
    const image = { type: "image", data: "y" };
    const rows = (count: number) => Array.from({ length: count }, () => textPart("x"));
    expect(await cut({ content: [...rows(5), image, ...rows(4)] })).toBe("allow");
    expect(await cut({ content: [...rows(6), image, ...rows(5)] })).toEqual({
      content: [textPart("x\nx\nx\nx\nx\nx"), image, textPart("x\nx\nx\nx\nx")],
      structured: undefined,
    });
    expect(
      await cutTo(20_000, { content: Array.from({ length: 19_999 }, () => textPart("")) }),
    ).toEqual({
      content: [textPart("\n".repeat(19_998))],
      structured: undefined,
    });
  });

  it("counts the line breaks of parts that stay without a text, for what else they say", async () => {
    const part = { ...textPart("x".repeat(1_000)), _meta: {} };
    const { content } = (await cutTo(2_000, { content: Array(40).fill(part) })) as Body;
    expect(content).toHaveLength(40);
    expect(shown(content)).toHaveLength(2_000);
    const silent = Array.from({ length: 100 }, () => ({ ...textPart(""), _meta: {} }));
    const long = textPart("x".repeat(5_000));
    const left = (await cutTo(5_000, { content: [long, ...silent, long] })) as Body;
    expect(shown(left.content).length).toBeLessThanOrEqual(5_000);
  });

  it("is withheld where these line breaks leave too little of its texts", async () => {
    const [part, long] = [{ ...textPart("x"), a: 1 }, textPart("x".repeat(300))];
    const withBreaks = { content: [long, ...Array(4).fill(part), long] };
    expect(shown(((await cutTo(300, withBreaks)) as Body).content)).toHaveLength(300);
    expect(await cutTo(200, withBreaks)).toMatch("no text");
    expect(await cutTo(200, { content: [long, part, long] })).toHaveProperty("content.1", {
      ...part,
      text: "",
    });
  });

  it("has the text of an embedded resource cut, and keeps its address", async () => {
    const resource = { uri: "file:///a", text: "x".repeat(1_000) };
    const { content } = (await cut({ content: [{ type: "resource", resource }] })) as Body;
    const left = (content as ContentPart[])[0]?.["resource"] as typeof resource;
    expect(left.uri).toBe("file:///a");
    expect(left.text).toMatch(/^x+\n\[… \d+ characters .*\]\nx+$/);
    expect(left.text).toHaveLength(most);
    const bytes = { uri: "file:///a", blob: "x".repeat(1_000) };
    expect(await cut({ content: [{ type: "resource", resource: bytes }] })).toMatch("no text");
  });

  it("is cut where the content is the structured content as JSON, each in its place", async () => {
    const structured = { rows: "y".repeat(400) };
    const body = (await cut({ content: JSON.stringify(structured), structured })) as Body;
    expect(body.content).toMatch(/^\{"rows":"y+\n\[… \d+ characters .*\]\ny+"\}$/);
    expect(body.structured).toEqual({ rows: expect.stringMatching(/^y+\n\[… .*\]\ny+$/) });
  });

  it("is cut only where it applies: beside a condition about the length of one text", async () => {
    const when = { result: "/content/*/text", length: { above: most } };
    const guard = rules({ rules: [{ id: "long", when, cut: most }] }) as ResultGuardrail;
    const decide = async ({ content, structured }: Body) =>
      (await guard.evaluateResult(call(), result(call(), content, { structured } as never)))
        .decision;
    expect(await decide(both("x".repeat(most)))).toBe("allow");
    expect(await decide(both("x".repeat(most + 1)))).toBe("modify");
    const many = Array.from({ length: 10 }, () => textPart("x".repeat(most)));
    expect(await decide({ content: many })).toBe("allow");
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

describe("a cut structured content", () => {
  it("keeps numbers, keys and short texts, and has its longest texts cut to one length", async () => {
    const row = { id: "a-1", status: "open", size: 12, done: false, none: null };
    const structured = { rows: [row, { ...row, body: "x".repeat(900) }], log: "z".repeat(5_000) };
    const after = (await cutTo(600, { content: "short", structured })) as Body;
    expect(after.content).toBe("short");
    const { rows, log } = after.structured as typeof structured;
    expect(rows[0]).toEqual(row);
    expect(rows[1]).toMatchObject(row);
    expect(log).toHaveLength(293);
    expect((rows[1] as { body: string }).body).toHaveLength(293);
  });

  it("is withheld where less than 200 characters would be left of a text", async () => {
    const rows = (count: number) => Array.from({ length: count }, () => "x".repeat(500));
    expect(await cutTo(2_000, { content: "a", structured: { rows: rows(10) } })).toMatchObject({
      structured: { rows: Array.from({ length: 10 }, () => expect.stringMatching(/^x/)) },
    });
    expect(await cutTo(2_000, { content: "a", structured: { rows: rows(11) } })).toBe(
      "the structured content has so many texts that, of 2000 characters, fewer than 200 would be left of one",
    );
  });

  it("is withheld where its keys and numbers are too long", async () => {
    const numbers = Array.from({ length: 200 }, (_, index) => index);
    expect(await cut({ content: "a", structured: { numbers } })).toMatch("no text");
    expect(await cut({ content: "a", structured: { ["k".repeat(301)]: 1 } })).toMatch("no text");
  });

  it("is cut as deep as a result may be", async () => {
    let deep: JsonValue = "x".repeat(400);
    for (let depth = 0; depth < 1_500; depth++) deep = [{ a: deep }];
    const guardrails = [allowAll(), rules({ rules: [{ id: "long", cut: 20_000 }] })].flat();
    const structured = { deep, long: "y".repeat(30_000) };
    const tools = [tool({ name: "t", execute: () => toolResult({ content: "a", structured }) })];
    const { status, result } = await new ToolRunner({ tools, guardrails }).run({ name: "t" });
    expect(status).toBe("executed");
    expect(result?.structured).toMatchObject({ long: expect.stringMatching(/^y+\n.*\ny+$/) });
  });

  it("has a member named __proto__ that stays a member", async () => {
    const structured = JSON.parse(`{"__proto__": {"a": 1}, "text": "${"x".repeat(400)}"}`);
    const after = (await cut({ content: "a", structured })) as Body;
    expect(JSON.stringify(after.structured)).toMatch(/^\{"__proto__":\{"a":1\},"text":"x/);
  });
});
