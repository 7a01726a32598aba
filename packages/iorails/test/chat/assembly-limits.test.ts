import { describe, expect, it } from "vitest";
import type { AssemblyLimits } from "../../src/chat/assembly.js";
import { assemble, choice, faultOf, fn, piece } from "./assembled.js";

describe("CompletionAssembler's limits", () => {
  it.each<[string, readonly unknown[], AssemblyLimits]>([
    [
      "calls",
      [piece({ id: "a", ...fn("f") }, { id: "b", ...fn("f") }, { id: "c", ...fn("f") })],
      { maxCalls: 2 },
    ],
    [
      "calls of a whole message",
      [{ choices: [{ message: { tool_calls: [fn("f"), fn("f"), fn("f")] } }] }],
      { maxCalls: 2 },
    ],
    [
      "arguments",
      [piece({ index: 0, ...fn("f", "12345") }), piece({ index: 0, ...fn(undefined, "67890") })],
      { maxCallChars: 10 },
    ],
    [
      "arguments that are no text",
      [piece({ index: 0, ...fn("f", { a: ["12345678"] }) })],
      { maxCallChars: 10 },
    ],
    ["names and ids", [piece({ index: 0, id: "12345", ...fn("678901") })], { maxCallChars: 10 }],
    ["text", [choice({ content: "123456" }), choice({ content: "78901" })], { maxTextChars: 10 }],
    [
      "reasoning",
      [choice({ reasoning: "123456" }), choice({ reasoning: "78901" })],
      { maxTextChars: 10 },
    ],
  ])("refuse more %s than allowed", (_, chunks, limits) => {
    expect(faultOf(chunks, limits)).toMatchObject({ fault: "malformed" });
  });

  it("let pass what just fits", () => {
    const chunks = [
      piece({ index: 0, ...fn("f", "123456789") }),
      choice({ content: "1234567890" }),
    ];
    expect(
      assemble(chunks, { maxCalls: 1, maxCallChars: 10, maxTextChars: 10 }).calls,
    ).toHaveLength(1);
  });

  it("hold for arguments of any depth", () => {
    let deep: unknown = 1;
    for (let depth = 0; depth < 200_000; depth += 1) deep = [deep];
    expect(faultOf([piece({ index: 0, ...fn("f", deep) })], { maxCallChars: 1000 }).fault).toBe(
      "malformed",
    );
  });
});
