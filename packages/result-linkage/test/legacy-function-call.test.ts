import { describe, expect, it } from "vitest";
import { answers, asks, found, named, text, user } from "./conversation.js";

describe("the legacy function_call", () => {
  const asksFunction = { role: "assistant", content: null, function_call: { name: "t" } };
  const answersFunction = { role: "function", name: "t", content: "x" };
  it.each<[string, unknown[], string[]]>([
    ["is matched by name", [asksFunction, answersFunction, text], []],
    ["may be null", [{ ...text, function_call: null }, user], []],
    ["may be empty", [{ ...text, function_call: { name: "", arguments: "" } }, user], []],
    [
      "may not have arguments only",
      [{ ...text, function_call: { name: "", arguments: "{}" } }],
      ["malformed_calls 0"],
    ],
    [
      "may not be answered twice",
      [asksFunction, answersFunction, answersFunction],
      ["duplicate_result 2"],
    ],
    [
      "may not be answered under another name",
      [asksFunction, { ...answersFunction, name: "u" }],
      ["name_mismatch 1"],
    ],
    [
      "may not be answered without a name",
      [asksFunction, { role: "function", content: "x" }],
      ["missing_name 1"],
    ],
    ["must be answered", [asksFunction, user], ["unanswered_call 0"]],
    ["must be there", [asks(named("t", "a")), answersFunction], ["unknown_call_id 1"]],
    [
      "must be there, or its result stands between others like any message",
      [asks(named("t", "a")), answersFunction, answers("a")],
      ["unknown_call_id 1", "result_not_adjacent 2"],
    ],
    [
      "must have a name",
      [{ ...asksFunction, function_call: "t" }, answersFunction],
      ["malformed_calls 0"],
    ],
    [
      "must be answered with content",
      [asksFunction, { ...answersFunction, content: null }],
      ["malformed_content 1"],
    ],
  ])("%s", (_, messages, expected) => {
    expect(found(messages)).toEqual(expected);
  });
});
