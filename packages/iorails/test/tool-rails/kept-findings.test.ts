import type { CallEnd, ResultDecision, ToolResult } from "@toolstile/core";
import { completionBody } from "@toolstile/testing";
import { describe, expect, it } from "vitest";
import type { Mountable } from "../../src/index.js";
import { KeptFindings } from "../../src/tool-rails/kept-findings.js";
import { engine, question } from "../engine/engine.js";

/** A turn with one call of the tool `read`, and its result. */
const turn = (at: number, content: unknown = `result ${at}`) => [
  {
    role: "assistant",
    content: null,
    tool_calls: [
      { id: `c${at}`, type: "function", function: { name: "read", arguments: `{"n": ${at}}` } },
    ],
  },
  { role: "tool", tool_call_id: `c${at}`, name: "read", content },
];
const conversation = (turns: number) => [
  question,
  ...Array.from({ length: turns }, (_, at) => turn(at)).flat(),
];

/** A judge that counts how often it was asked, and by default allows. */
function judge(
  name: string,
  more: Partial<Mountable> = {},
  decide: (result: ToolResult) => ResultDecision = () => ({ decision: "allow" }),
) {
  const asked: string[] = [];
  const evaluateResult = ({ callId }: { callId: string }, result: ToolResult) => {
    asked.push(callId);
    return decide(result);
  };
  return {
    asked,
    guard: { name, deterministicResults: true, evaluateResult, ...more } as Mountable,
  };
}

const rails = "rails: { tool_result: { flows: [tool result validation] } }";

async function checked(guards: readonly Mountable[], yaml = rails) {
  const { rails: made } = await engine(yaml, [], { providers: { toolResult: guards } });
  return (messages: readonly object[]) =>
    made.check({ messages: messages as never, railTypes: ["tool_result"] });
}

describe("a judge of results that gives one answer to one result", () => {
  it("is asked once about each of 50 results, though the conversation is sent 50 times", async () => {
    const { guard, asked } = judge("once");
    const check = await checked([guard]);
    for (let turns = 1; turns <= 50; turns++) await check(conversation(turns));
    expect(asked).toEqual(Array.from({ length: 50 }, (_, at) => `c${at}`));
  });

  it.each([
    ["does not say so", { deterministicResults: undefined }],
    ["has settle, so it counts", { settle: (_: unknown, end: CallEnd) => void end }],
  ])("is asked each time if it %s", async (_, more) => {
    const { guard, asked } = judge("each time", more as Partial<Mountable>);
    const check = await checked([guard]);
    await check(conversation(2));
    await check(conversation(2));
    expect(asked).toEqual(["c0", "c1", "c0", "c1"]);
  });

  it("is asked each time if it stands behind one that is not of its kind, and keeps that one's order", async () => {
    const first = judge("first");
    const counter = judge("counter", { deterministicResults: undefined });
    const last = judge("last");
    const check = await checked([first.guard, counter.guard, last.guard]);
    await check(conversation(1));
    await check(conversation(1));
    expect([first.asked.length, counter.asked.length, last.asked.length]).toEqual([1, 2, 2]);
  });

  it.each([
    ["content", turn(0, "other")],
    [
      "arguments",
      [
        {
          ...turn(0)[0],
          tool_calls: [
            { id: "c0", type: "function", function: { name: "read", arguments: '{"n": 7}' } },
          ],
        },
        turn(0)[1],
      ],
    ],
    [
      "id",
      [
        {
          ...turn(0)[0],
          tool_calls: [
            { id: "d", type: "function", function: { name: "read", arguments: '{"n": 0}' } },
          ],
        },
        { ...turn(0)[1], tool_call_id: "d" },
      ],
    ],
    [
      "tool",
      [
        {
          ...turn(0)[0],
          tool_calls: [
            { id: "c0", type: "function", function: { name: "list", arguments: '{"n": 0}' } },
          ],
        },
        { ...turn(0)[1], name: "list" },
      ],
    ],
  ])("is asked again if the %s of a result is another", async (_, other) => {
    const { guard, asked } = judge("once");
    const check = await checked([guard]);
    await check(turn(0));
    await check(other as never);
    expect(asked).toHaveLength(2);
  });

  it("keeps a denial and a rewriting as it keeps an answer that allows", async () => {
    const { guard, asked } = judge("strict", {}, ({ content }) => {
      if (content === "bad") return { decision: "deny", reason: "it is bad" };
      return { decision: "modify", modifiedResult: { content: "[cut]" } };
    });
    const check = await checked([guard]);
    for (let time = 0; time < 2; time++) {
      const { violations } = await check(turn(0, "bad"));
      expect(violations).toMatchObject([{ reason: "it is bad", rail: "strict", index: 1 }]);
      const { status, messages, rail } = await check([question, ...turn(0)]);
      expect([status, messages[2]?.content, rail]).toEqual(["modified", "[cut]", "strict"]);
    }
    expect(asked).toHaveLength(2);
  });

  it("is asked again about what it has failed at", async () => {
    const failing = judge("failing", {}, () => {
      throw new Error("out of order");
    });
    const check = await checked([failing.guard]);
    for (let time = 0; time < 2; time++) expect((await check(turn(0))).status).toBe("blocked");
    expect(failing.asked).toHaveLength(2);
  });

  it("is asked again where its answer is turned off and on: each set of judges has findings of its own", async () => {
    const one = judge("one");
    const other = judge("other");
    const { rails: made } = await engine(rails, [], {
      providers: { toolResult: [one.guard, other.guard] },
    });
    const check = (names: readonly string[]) =>
      made.check({
        messages: turn(0) as never,
        railTypes: ["tool_result"],
        options: { rails: { tool_result: names } },
      });
    await check(["one"]);
    await check(["one", "other"]);
    expect([one.asked.length, other.asked.length]).toEqual([2, 1]);
  });

  it("P8 does not let a reader of an answer change what is kept", async () => {
    const parts = [{ type: "text", text: "clean" }];
    const { guard } = judge("rewriter", {}, () => {
      return { decision: "modify", modifiedResult: { content: parts } };
    });
    const check = await checked([guard]);
    const first = (await check(turn(0))).messages[1]?.content as { text: string }[];
    expect(() => Object.assign(first[0] ?? {}, { text: "evil" })).toThrow(TypeError);
    expect((await check(turn(0))).messages[1]?.content).toEqual([{ type: "text", text: "clean" }]);
  });
});

describe("the rail of a tool on results", () => {
  const suffix = "$model=self_check_input $variant=v";
  const judged = `
rails: { tool_result: { per_tool: { read: ["tool safety check result ${suffix}"] } } }
prompts: [{ task: "tool_safety_check_result ${suffix}", content: "{{ tool_result_content }}" }]`;

  it("asks its model once about each result", async () => {
    const { rails: made, server } = await engine(judged, () => {
      return { body: completionBody({ content: "safe" }) };
    });
    for (let turns = 1; turns <= 5; turns++) {
      await made.check({ messages: conversation(turns) as never, railTypes: ["tool_result"] });
    }
    expect(server.requests).toHaveLength(5);
  });

  it("asks again if the model failed", async () => {
    const answers = ["not to be read", "safe"];
    const { rails: made } = await engine(judged, () => {
      return { body: completionBody({ content: answers.shift() ?? "" }) };
    });
    const check = () => made.check({ messages: turn(0) as never, railTypes: ["tool_result"] });
    expect((await check()).violations).toMatchObject([{ violationType: "rail_failed" }]);
    expect((await check()).status).toBe("passed");
  });
});

describe("findings that are kept", () => {
  const finding = (text: string) => {
    return { violation: undefined, content: text, modifiedBy: "x", isDecided: true };
  };

  it("take no more room than they may, and lose those that were used longest ago", () => {
    const kept = new KeptFindings(2_000);
    for (const key of ["a", "b", "c"]) kept.set(key, finding("x".repeat(100)));
    expect(kept.get("a")).toBeDefined();
    for (const key of ["d", "e"]) kept.set(key, finding("x".repeat(100)));
    expect(["a", "b", "c", "d", "e"].filter((key) => kept.get(key) !== undefined)).toEqual([
      "a",
      "d",
      "e",
    ]);
  });

  it("are not kept at all if one alone takes more", () => {
    const kept = new KeptFindings(2_000);
    kept.set("small", finding("x"));
    kept.set("large", finding("x".repeat(2_000)));
    expect([kept.get("large"), kept.get("small")?.content]).toEqual([undefined, "x"]);
  });
});
