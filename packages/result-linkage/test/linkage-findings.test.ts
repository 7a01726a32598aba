import { describe, expect, it } from "vitest";
import { checkLinkage, type LinkageFinding } from "../src/index.js";
import { answers, asks, named, text, user } from "./conversation.js";

describe("a finding", () => {
  const finding = (messages: unknown[]): LinkageFinding | undefined => checkLinkage(messages)[0];

  it("says where, which call and which tool", () => {
    expect(finding([asks(named("t", "a"), named("u", "b")), answers("a"), text])).toEqual({
      code: "unanswered_call",
      index: 0,
      callIndex: 1,
      callId: "b",
      toolName: "u",
      reason: "tool call 'u' with call_id 'b' has no result",
    });
  });

  it.each<[unknown[], string]>([
    [[answers("a")], "tool result for call_id 'a' does not correspond to a prior tool call"],
    [[answers(undefined)], "tool result is missing a call_id"],
    [[answers(11)], "tool result has a call_id that is not text"],
    [[asks(named("t", 11))], "tool call 't' has a call_id that is not text"],
    [
      [asks(named("t", "a")), answers("a"), answers("a")],
      "duplicate tool result for call_id 'a': each tool call must have exactly one result",
    ],
    [
      [asks(named("t", "a"), named("t", "a"))],
      "duplicate prior tool call id 'a' makes tool-result linkage ambiguous",
    ],
    [
      [asks(named("t", "a")), answers("a", { name: "u" })],
      "tool result name 'u' does not match the called tool 't' for call_id 'a'",
    ],
    [
      [asks(named("t", "a")), answers("a", { content: {} })],
      "tool result for call_id 'a' has malformed content",
    ],
  ])("uses the words that IORails uses", (messages, reason) => {
    expect(finding(messages)?.reason).toBe(reason);
  });

  it("quotes ids and names escaped and cut, and no content", () => {
    const id = `${"x".repeat(100)}\u202e`;
    const all = checkLinkage([user, answers(id), answers("b", { content: { secret: "content" } })]);
    expect(all[0]?.reason).toContain(`'${"x".repeat(64)}…'`);
    expect(JSON.stringify(all)).not.toContain("secret");
  });
});
