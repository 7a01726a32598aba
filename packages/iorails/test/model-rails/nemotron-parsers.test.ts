import { describe, expect, it } from "vitest";
import { outputParsers } from "../../src/model-rails/parsers.js";

const prompt = (answer: string) =>
  outputParsers.get("nemotron_content_safety_parse_prompt_safety")?.(answer);
const response = (answer: string) =>
  outputParsers.get("nemotron_content_safety_parse_response_safety")?.(answer);

describe("the parsers of Nemotron's content safety", () => {
  it.each([
    "User Safety: safe",
    "user safety:SAFE ",
    "Response Safety: unsafe\nUser Safety: safe",
    "<think>User Safety: unsafe?</think>\nUser Safety: safe",
    "<THINK>x</Think>User Safety: safe",
    "thought that was opened before\n</think>\nUser Safety: safe\r\nSafety Categories: None",
  ])("let pass %j", (answer) => {
    expect(prompt(answer)).toEqual({ verdict: "allow" });
  });

  it.each([
    ["User Safety: unsafe", []],
    ["User Safety: unsafe\nSafety Categories: Violence, Malware", ["Violence", "Malware"]],
    ["USER SAFETY: UNSAFE\nsafety categories: Violence", ["Violence"]],
  ])("block %j, with its categories", (answer, categories) => {
    expect(prompt(answer)).toEqual({ verdict: "block", categories });
  });

  it.each([
    "",
    "safe",
    "User Safety: safe.",
    "User Safety: perhaps",
    "User Safety: safe unsafe",
    "The User Safety: safe",
    "**User Safety:** safe",
    "Response Safety: safe",
    "User Safety: safe\nUser Safety: safe",
    "User Safety: safe\nUser Safety: unsafe",
    "User Safety: safe (user safety: unsafe)",
    "User Safety: safe\nResponse Safety: safe\nResponse Safety: unsafe",
    "<think>User Safety: safe",
    "<think>x</think><think>User Safety: safe",
    "User Safety: safe</think>",
  ])("read no verdict off %j", (answer) => {
    expect(prompt(answer)).toEqual({ verdict: "unparseable" });
  });

  it("each read their own field", () => {
    const both = "User Safety: safe\nResponse Safety: unsafe\nSafety Categories: Fraud";
    expect(prompt(both)?.verdict).toBe("allow");
    expect(response(both)).toEqual({ verdict: "block", categories: ["Fraud"] });
    expect(response("User Safety: safe")?.verdict).toBe("unparseable");
  });
});
