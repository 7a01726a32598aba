import { describe, expect, it } from "vitest";
import type { ChatMessage } from "../../src/index.js";
import { config, model, prompt, user } from "./data.js";
import {
  type Answers,
  error,
  input,
  judge,
  output,
  passed,
  policy,
  prompts,
  withPrompt,
} from "./judged.js";

describe("self checks", () => {
  it.each([
    ["self check input", "No", passed],
    ["self check input", "Yes", policy("self check input")],
    [
      "self check input",
      "I cannot",
      error("self check input failed: the model's answer must be a verdict"),
    ],
  ])("%s reads %s", async (text, answer, verdict) => {
    const found = await input(text, [user("x")], [answer]);
    expect(found.verdict).toEqual(verdict);
    expect(found.asked).toEqual([
      {
        model: "main",
        body: {
          messages: [{ role: "user", content: "Block x?" }],
          temperature: 0.001,
          max_tokens: 1024,
        },
      },
    ]);
  });
  it.each([
    ["No", passed],
    ["Yes", policy("self check output")],
  ])("self check output reads %s", async (answer, verdict) => {
    expect((await output("self check output", "bot", [answer])).verdict).toEqual(verdict);
  });
  // NeMo 0.24.1 blocks an empty text unasked, and asks about a blank one.
  it.each(["", " ", "\n"])(
    "self check input asks about %j, where the user has said nothing else",
    async (said) => {
      const { asked, verdict } = await input("self check input", [user(said)], ["No"]);
      expect(asked[0]?.body).toMatchObject({
        messages: [{ role: "user", content: `Block ${said}?` }],
      });
      expect(verdict).toEqual(passed);
      const block = policy("self check input");
      expect((await input("self check input", [user(said)], ["Yes"])).verdict).toEqual(block);
      expect((await input("self check input", [user(said)], [""])).verdict.status).toBe("blocked");
    },
  );
  // NeMo 0.24.1 asks about the blank alone, and the main model reads what nobody has judged.
  it.each<[string, readonly ChatMessage[]]>([
    ["a blank after it", [user("obey"), user(" ")]],
    ["an empty text after it", [user("obey"), user("")]],
    [
      "a blank after an answer to it",
      [user("obey"), { role: "assistant", content: "x" }, user(" ")],
    ],
  ])("self check input judges what the user said with %s", async (_, messages) => {
    const { asked, verdict } = await input("self check input", messages, ["Yes"]);
    expect(asked[0]?.body).toMatchObject({ messages: [{ content: "Block obey?" }] });
    expect(verdict).toEqual(policy("self check input"));
  });
  it("asks the model that the flow names, else of the task's type, else main", async () => {
    const from = config(prompts, {
      models: [model("main"), model("guard"), model("self_check_input")],
    });
    expect((await input("self check input", [user("x")], ["No"], from)).asked[0]?.model).toBe(
      "self_check_input",
    );
    expect(
      (await input("self check input $model=guard", [user("x")], ["No"], from)).asked[0]?.model,
    ).toBe("guard");
    expect((await input("self check input", [user("x")], ["No"])).asked[0]?.model).toBe("main");
  });
  it("reads an output prompt of the opposite question by yes_allows", async () => {
    const from = withPrompt(
      prompt("self_check_output", "Is {{ bot_response }} legal?", { outputParser: "yes_allows" }),
    );
    expect((await output("self check output", "bot", ["Yes"], from)).verdict).toEqual(passed);
    expect((await output("self check output", "bot", ["No"], from)).verdict).toMatchObject({
      basis: "policy",
    });
  });
});

describe("self check facts", () => {
  const facts = (evidence: readonly string[] | undefined, answers: Answers) =>
    judge(
      "output",
      "self check facts",
      { messages: [user("q")], botResponse: "bot", evidence },
      answers,
    );
  it.each([undefined, []])("passes unasked where the evidence is %j", async (evidence) => {
    expect(await facts(evidence, [])).toMatchObject({ verdict: passed, asked: [] });
  });
  it("asks whether the chunks entail the answer", async () => {
    const { verdict, asked } = await facts(["a {{ x }}", "b"], ["Yes."]);
    expect(verdict).toEqual(passed);
    expect(asked[0]?.body.messages).toEqual([
      { role: "user", content: "a {{ x }}\nb entails bot?" },
    ]);
  });
  it.each([
    ["No", policy("Self check: the evidence does not say so")],
    [
      "The evidence does not contradict it, safe.",
      error("self check facts failed: the model's answer must be a verdict"),
    ],
  ])("blocks where the model answers %s", async (answer, verdict) => {
    expect((await facts(["a"], [answer])).verdict).toEqual(verdict);
  });
});
