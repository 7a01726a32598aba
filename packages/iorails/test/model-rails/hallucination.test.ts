import { describe, expect, it } from "vitest";
import { user } from "./data.js";
import { type Answers, output, passed, policy } from "./judged.js";

describe("self check hallucination and hallucination warning", () => {
  const messages = [user("hi")];
  it("samples the main model twice at temperature 1 and compares", async () => {
    const { verdict, asked } = await output("self check hallucination $model=guard", "bot", [
      "one",
      "two",
      "Yes",
    ]);
    expect(verdict).toEqual(passed);
    expect(asked).toEqual([
      { model: "main", body: { messages, temperature: 1 } },
      { model: "main", body: { messages, temperature: 1 } },
      {
        model: "guard",
        body: {
          messages: [user("one. two agrees with bot?")],
          temperature: 0.001,
          max_tokens: 1024,
        },
      },
    ]);
  });
  it("blocks, or warns at the end of the text, where the samples do not agree", async () => {
    const reason = "Self check: further answers do not agree";
    const answers = ["one", "two", "No"];
    expect((await output("self check hallucination", "bot", answers)).verdict).toEqual(
      policy(reason),
    );
    const warned = await output("hallucination warning", "bot", answers);
    expect(warned).toMatchObject({
      verdict: { status: "modified", reason },
      flow: "hallucination warning",
    });
    expect(warned.text).toMatch(/^bot\n\n\S/);
  });
  it.each<[string, Answers]>([
    ["not sure", ["one", "two", "not sure"]],
    ["a sample without text", ["one", "", "Yes"]],
    ["a sample that fails", ["one", new Error("secret"), "Yes"]],
  ])("blocks either way, as an error, on %s", async (_, answers) => {
    for (const text of ["self check hallucination", "hallucination warning"]) {
      expect((await output(text, "bot", answers)).verdict).toMatchObject({
        status: "blocked",
        basis: "error",
      });
    }
  });
  it("passes an empty answer unasked", async () => {
    expect(await output("hallucination warning", "", [])).toMatchObject({
      verdict: passed,
      asked: [],
    });
  });
});
