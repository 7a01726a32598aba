import { describe, expect, it } from "vitest";
import { config, model, prompt, user } from "./data.js";
import { judge, passed, policy } from "./judged.js";

const data = config(
  [
    prompt("llama_guard_check_input", "Judge: {{ user_input }}"),
    prompt("llama_guard_check_output", "{{ user_input }} / {{ bot_response }}"),
  ],
  { models: [model("main"), model("llama_guard")] },
);
const input = (answer: string) =>
  judge("input", "llama guard check input", { messages: [user("hm")] }, [answer], data);

describe("llama guard check", () => {
  it.each(["safe", " Safe\n"])("passes %j", async (answer) => {
    const { verdict, asked } = await input(answer);
    expect(verdict).toEqual(passed);
    expect(asked).toMatchObject([
      { model: "llama_guard", body: { max_tokens: 1024, temperature: 1e-20 } },
    ]);
  });

  it.each([
    ["unsafe", "llama guard check input"],
    ["unsafe\nS1", "Safety categories: S1"],
    ["Unsafe\nS1,S10", "Safety categories: S1, S10"],
  ])("blocks %j, and names the categories, or else the flow", async (answer, reason) => {
    expect((await input(answer)).verdict).toEqual(policy(reason));
  });

  it.each(["safety first", "safe unsafe", "not safe", "safe.", "", "yes", "safely"])(
    "blocks as failed %j, which is no verdict",
    async (answer) => {
      expect((await input(answer)).verdict).toMatchObject({ status: "blocked", basis: "error" });
    },
  );

  it("judges an answer together with what the user said, and passes an empty one unasked", async () => {
    const output = (botResponse: string) =>
      judge(
        "output",
        "llama guard check output",
        { messages: [user("hm")], botResponse },
        ["unsafe S2"],
        data,
      );
    const { verdict, asked } = await output("well");
    expect(verdict).toEqual(policy("Safety categories: S2"));
    expect(asked[0]?.body["messages"]).toEqual([user("hm / well")]);
    expect((await output("")).asked).toEqual([]);
  });

  it("does not load without its model", () => {
    const without = config(data.prompts);
    const build = judge("input", "llama guard check input", { messages: [] }, [], without);
    return expect(build).rejects.toThrow("'llama_guard'");
  });
});
