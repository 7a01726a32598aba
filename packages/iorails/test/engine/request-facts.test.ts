import { describe, expect, it } from "vitest";
import { engine, question, toolRails } from "./engine.js";

describe("facts that a request brings", () => {
  it.each<[string, unknown]>([
    ["under a misspelt key", { relevant_chunk: ["x"] }],
    ["as objects", { relevant_chunks: [{ text: "x" }] }],
    ["as a number", { relevant_chunks: 7 }],
  ])("P5 are refused %s: the rail would pass without a word", async (_, context) => {
    const { rails } = await engine(toolRails, []);
    const refused = expect.stringMatching(/^ERR_(INVALID|UNKNOWN)_OPTION$/);
    const options = { context: context as never };
    await expect(rails.generate({ messages: [question], options })).rejects.toMatchObject({
      code: refused,
    });
    const messages = [{ role: "context", content: context }, question];
    await expect(rails.generate({ messages })).rejects.toMatchObject({ code: refused });
  });

  it("do not shift the places of what is found", async () => {
    const { rails } = await engine(toolRails, []);
    const messages = [
      { role: "context", content: { relevant_chunks: "x" } },
      question,
      { role: "tool", tool_call_id: "c1", content: "x" },
    ];
    const { violations } = await rails.check({ messages, railTypes: ["tool_result"] });
    expect(violations[0]?.index).toBe(2);
  });
});
