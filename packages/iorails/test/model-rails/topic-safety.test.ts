import { describe, expect, it } from "vitest";
import { prompt, user } from "./data.js";
import { input, passed, policy, topic, withPrompt } from "./judged.js";

describe("topic safety check input", () => {
  const restriction =
    'If any of the above conditions are violated, please respond with "off-topic". Otherwise, respond with "on-topic". You must respond with "on-topic" or "off-topic".';
  const messages = [
    { role: "system", content: "{{ x }}" },
    user("tea?"),
    { role: "assistant", content: null, tool_calls: [{ id: "1" }] },
    { role: "tool", tool_call_id: "1", content: "t" },
  ];

  it("sends its instructions, the text of the talk before, and what the user said last", async () => {
    const talk = [
      ...messages,
      { role: "assistant", content: "Green or black?" },
      user([{ type: "text", text: "Green." }, { type: "image_url" }]),
    ];
    const { asked } = await input(topic, talk, ["on-topic"]);
    expect(asked).toEqual([
      {
        model: "guard",
        body: {
          messages: [
            { role: "system", content: `Talk of tea.\n\n${restriction}` },
            { role: "system", content: "{{ x }}" },
            user("tea?"),
            { role: "assistant", content: "Green or black?" },
            user("Green."),
          ],
          temperature: 0.01,
        },
      },
    ]);
  });
  it("blocks a message that it cannot read", async () => {
    const { verdict } = await input(topic, [user([{ type: "image_url" }])], ["on-topic"]);
    expect(verdict).toMatchObject({ status: "blocked", basis: "error" });
  });
  it("has the limit of tokens that its prompt sets, and no other", async () => {
    const own = prompt("topic_safety_check_input $model=guard", "Tea.", { maxTokens: 5 });
    const { asked } = await input(topic, messages, ["on-topic"], withPrompt(own));
    expect(asked[0]?.body["max_tokens"]).toBe(5);
  });
  it("does not repeat the restriction", async () => {
    const own = prompt("topic_safety_check_input $model=guard", `Tea. ${restriction}\n`);
    const { asked } = await input(topic, messages, ["on-topic"], withPrompt(own));
    expect(asked[0]?.body.messages).toEqual([
      { role: "system", content: `Tea. ${restriction}` },
      ...messages.slice(0, 2),
    ]);
  });
  it.each(["on-topic", " On-Topic\n", "on-topic.", '"on-topic"', "**on-topic**", "'on-topic'."])(
    "passes %j",
    async (answer) => {
      expect((await input(topic, messages, [answer])).verdict).toEqual(passed);
    },
  );
  it.each(["off-topic", "Off-topic.", '"off-topic"'])("blocks %j", async (answer) => {
    expect((await input(topic, messages, [answer])).verdict).toEqual(
      policy("Topic safety: off-topic"),
    );
  });
  it.each([
    "",
    "on topic",
    "not on-topic",
    "on-topic?",
    "on-topic, I think",
    "on-topic off-topic",
    "on-topic\noff-topic",
    "yes",
    "ｏn-topic",
    "on\u2011topic",
    "on-topic\u200b",
    "\u200bon-topic",
  ])("blocks as an error %j", async (answer) => {
    expect((await input(topic, messages, [answer])).verdict).toMatchObject({
      status: "blocked",
      basis: "error",
    });
  });
  it("blocks where no user has said anything", async () => {
    expect((await input(topic, [], ["on-topic"])).verdict).toMatchObject({
      status: "blocked",
      basis: "error",
    });
  });
});
