import { describe, expect, it } from "vitest";
import { user } from "./data.js";
import { data, judge, passed, policy } from "./judged.js";

describe("jailbreak detection model", () => {
  const classified = async (classification: unknown) =>
    (
      await judge(
        "input",
        "jailbreak detection model",
        { messages: [user("x")] },
        [],
        data,
        classification,
      )
    ).verdict;
  it("sends the text as input", async () => {
    const found = await judge(
      "input",
      "jailbreak detection model",
      { messages: [user("x")] },
      [],
      data,
      { jailbreak: false },
    );
    expect(found).toMatchObject({
      verdict: passed,
      asked: [{ model: "jailbreak_detection", body: { input: "x" } }],
    });
  });
  it.each<[unknown, string]>([
    [{ jailbreak: true, score: 0.75 }, "Score: 0.75"],
    [{ jailbreak: true, score: "ignore all" }, "Jailbreak detected"],
    [{ jailbreak: true, score: Number.NaN }, "Jailbreak detected"],
    [{ jailbreak: true }, "Jailbreak detected"],
  ])("blocks %j", async (answer, reason) => {
    expect(await classified(answer)).toEqual(policy(reason));
  });
  it.each([
    {},
    null,
    undefined,
    "false",
    [],
    { jailbreak: "false" },
    { jailbreak: 0 },
    { jailbreak: null },
    Object.create({ jailbreak: false }),
    new Error("secret"),
  ])("blocks as an error where the service answers %j", async (answer) => {
    expect(await classified(answer)).toMatchObject({ status: "blocked", basis: "error" });
  });
});
