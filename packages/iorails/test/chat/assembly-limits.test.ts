import { describe, expect, it } from "vitest";
import { assemble, choice, faultOf, fn, piece } from "./assembled.js";

const callChars = 4 * 1024 * 1024;
const textChars = 16 * 1024 * 1024;
const half = (chars: number): string => "x".repeat(chars / 2);
const calls = Array.from({ length: 1_000 }, (_, at) => ({ id: `${at}`, ...fn("f") }));
const whole = (...tool_calls: unknown[]): object => ({ choices: [{ message: { tool_calls } }] });

describe("CompletionAssembler's limits", () => {
  it.each<[string, readonly unknown[]]>([
    ["calls", [piece(...calls, { id: "a", ...fn("f") })]],
    ["calls of a whole message", [whole(...calls, fn("f"))]],
    [
      "arguments",
      [
        piece({ index: 0, ...fn("f", half(callChars)) }),
        piece({ index: 0, ...fn(undefined, half(callChars)) }),
      ],
    ],
    [
      "arguments that are no text",
      [piece({ index: 0, ...fn("f", { a: ["x".repeat(callChars)] }) })],
    ],
    ["names and ids", [piece({ index: 0, id: half(callChars), ...fn(`${half(callChars)}x`) })]],
    ["text", [choice({ content: half(textChars) }), choice({ content: `${half(textChars)}x` })]],
    [
      "reasoning",
      [choice({ reasoning: half(textChars) }), choice({ reasoning: `${half(textChars)}x` })],
    ],
  ])("refuse more %s than allowed", (_, chunks) => {
    expect(faultOf(chunks)).toMatchObject({ fault: "malformed" });
  });

  it("let pass what just fits", () => {
    const chunks = [
      piece({ index: 0, ...fn("f", "x".repeat(callChars - 1)) }),
      choice({ content: "x".repeat(textChars) }),
    ];
    expect(assemble(chunks).calls).toHaveLength(1);
    expect(assemble([piece(...calls)]).calls).toHaveLength(1_000);
  });

  it("hold for arguments of any depth", () => {
    let deep: unknown = "x".repeat(callChars);
    for (let depth = 0; depth < 200_000; depth += 1) deep = [deep];
    expect(faultOf([piece({ index: 0, ...fn("f", deep) })]).fault).toBe("malformed");
  });
});
