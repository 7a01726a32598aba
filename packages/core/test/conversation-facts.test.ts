import { describe, expect, it } from "vitest";
import { conversationOf, keepConversation, withConversation } from "../src/call/conversation.js";
import { conversationIn } from "../src/host/messages.js";

const conversation = { userTexts: ["hello"], hasResults: false };

describe("a conversation beside the facts of a call", () => {
  it("is read when a guard asks, once", () => {
    let reads = 0;
    const context = withConversation({ sessionId: "s1" }, () => {
      reads++;
      return conversation;
    });
    expect(context).toEqual({ sessionId: "s1" });
    expect(reads).toBe(0);
    expect(conversationOf(context as object)).toBe(conversation);
    expect(conversationOf(context as object)).toBe(conversation);
    expect(reads).toBe(1);
  });

  it("is kept by a copy, and is beside no other facts", () => {
    const given = { sessionId: "s1" };
    const context = withConversation(given, () => conversation);
    expect(conversationOf(given)).toBeUndefined();
    expect(conversationOf(keepConversation(context as object, {}))).toBe(conversation);
    expect(conversationOf(keepConversation(given, {}))).toBeUndefined();
  });

  it("is beside facts that the host did not give", () => {
    expect(conversationOf(withConversation(undefined, () => conversation) as object)).toBe(
      conversation,
    );
  });

  it.each([
    ["texts that are none", { userTexts: [7], hasResults: false }],
    ["texts that are no list", { userTexts: "hello", hasResults: false }],
    ["no word about results", { userTexts: [] }],
    ["ids that are none", { ...conversation, resultIds: [7] }],
  ])("P1 is an error to read where it has %s", (_, wrong) => {
    const context = withConversation({}, () => wrong as never) as object;
    expect(() => conversationOf(context)).toThrow(
      new TypeError("A conversation must be { userTexts, hasResults }: texts, and true or false."),
    );
  });

  it.each<[string, unknown]>([
    ["null", null],
    ["an instance", new Map()],
    [
      "an object with an accessor",
      {
        get sessionId() {
          return "s1";
        },
      },
    ],
    ["an object with a hidden member", Object.defineProperty({}, "sessionId", { value: "s1" })],
    ["a proxy that throws", new Proxy({}, { getPrototypeOf: () => boom(), ownKeys: () => boom() })],
  ])("leaves what core will refuse as it is: %s", (_, context) => {
    const given = withConversation(context as never, () => conversation);
    expect(given === context).toBe(true);
    if (given !== null) expect(conversationOf(given as object)).toBeUndefined();
  });
});

describe("the conversation in messages", () => {
  it.each<[string, unknown, string[], boolean]>([
    ["are none", [], [], false],
    ["are not given", undefined, [], false],
    ["are no list", { 0: "x" }, [], true],
    ["have a text of the user", [{ role: "user", content: "a" }], ["a"], false],
    ["have a text of a human", [{ getType: () => "human", content: "a" }], ["a"], false],
    ["have a user by type", [{ type: "user", content: "a" }], ["a"], false],
    [
      "have parts of the user",
      [{ role: "user", content: [{ text: "a" }, { text: 1 }, "b"] }],
      ["a"],
      false,
    ],
    [
      "have parts inside a content",
      [{ role: "user", content: { parts: [{ text: "a" }] } }],
      ["a"],
      false,
    ],
    ["have a text that is none", [{ role: "user", content: 7 }], [], false],
    ["have an answer of the model", [{ role: "assistant", content: "a" }], [], false],
    ["have the answer of a tool", [{ role: "tool", content: "a" }], [], true],
    ["have the answer of a function", [{ role: "function", content: "a" }], [], true],
    ["have a message of a role that is not known", [{ role: "oracle", content: "a" }], [], true],
    ["have a message without a role", [{ content: "a" }], [], true],
    ["have a role beside another type", [{ role: "assistant", getType: () => "tool" }], [], false],
    ["have a result among parts", [{ role: "user", content: [{ type: "tool-result" }] }], [], true],
    [
      "have an output of a call",
      [{ role: "assistant", content: [{ type: "function_call_output" }] }],
      [],
      true,
    ],
    [
      "have an invocation with its result",
      [{ role: "assistant", content: [{ toolInvocation: { state: "result" } }] }],
      [],
      true,
    ],
    [
      "have an invocation without",
      [{ role: "assistant", content: [{ toolInvocation: { state: "call" } }] }],
      [],
      false,
    ],
    [
      "have an output that is available",
      [{ role: "assistant", content: [{ state: "output-available" }] }],
      [],
      true,
    ],
  ])("%s", (_, messages, userTexts, hasResults) => {
    expect(conversationIn(messages)).toMatchObject({ userTexts, hasResults });
  });
});

function boom(): never {
  throw new Error("a trap");
}
