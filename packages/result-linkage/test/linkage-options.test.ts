import { describe, expect, it } from "vitest";
import { checkLinkage } from "../src/index.js";
import { answers, asks, found, named } from "./conversation.js";

describe("on request", () => {
  it("finds results without a name", () => {
    const messages = [
      asks(named("t", "a"), named("t", "b"), named("t", "c")),
      answers("a"),
      answers("b", { name: "" }),
      answers("c", { name: "t" }),
    ];
    expect(found(messages, { requireNames: true })).toEqual(["missing_name 1", "missing_name 2"]);
  });

  it("takes content that is null, absent or a list of any objects, and no other", () => {
    const contents = [null, undefined, "", [], [{}], [{ id: 1 }], 7, { x: 1 }, ["x"], [null], [[]]];
    const messages = [
      asks(...contents.map((_, at) => named("t", `${at}`))),
      ...contents.map((content, at) => answers(`${at}`, { content })),
    ];
    expect(found(messages, { content: "objects" })).toEqual(
      [7, 8, 9, 10, 11].map((index) => `malformed_content ${index}`),
    );
    expect(found(messages, { content: "parts" })).toEqual(found(messages));
  });

  it("finds calls that are open at the end", () => {
    const messages = [asks(named("t", "a"), named("t", "b")), answers("b")];
    expect(found(messages, { requireAnswers: true })).toEqual(["unanswered_call 0.0"]);
  });

  it.each([
    [{ requireName: true }, "Did you mean 'requireNames'?"],
    [{ requireNames: 1 }, "'requireNames' must be a boolean, received 1"],
    [{ content: "object" }, 'received "object". Did you mean "objects"?'],
    [{ content: "a secret" }, '\'content\' must be "parts" or "objects", received string'],
    [{ content: true }, "'content' must be \"parts\" or"],
    [{ requireAnswers: "yes" }, "'requireAnswers' must be a boolean, received string"],
    [Object.create({ requireNames: true }), "the options must be a plain object"],
  ])("refuses %o", (options, message) => {
    expect(() => checkLinkage([], options as object)).toThrow(message);
  });
});
