import { describe, expect, it } from "vitest";
import {
  all,
  answered,
  asks,
  getWeather,
  model,
  question,
  refusal,
  scripted,
  streamedCall,
  streams,
  text,
  toolCall,
  toolResult,
  turn,
  wireCall,
} from "./scripted.js";

const guards = `${model("content_safety")}rails:
  input: { flows: ["content safety check input $model=content_safety"] }
  output: { flows: ["content safety check output $model=content_safety"] }
  ${toolCall}
  ${toolResult}
prompts:
  - task: content_safety_check_input $model=content_safety
    content: "INPUT {{ user_input }}"
    output_parser: nemoguard_parse_prompt_safety
  - task: content_safety_check_output $model=content_safety
    content: "OUTPUT {{ bot_response }}"
    output_parser: nemoguard_parse_response_safety
`;
const judged = (input: string, output = input) =>
  text(JSON.stringify({ "User Safety": input, "Response Safety": output }));
const call = wireCall("get_weather", { city: "Paris" });
const options = { llm_params: { tools: [getWeather] } };

describe("the order of work", () => {
  it("IO-019 is results, input rails, main model, calls, output rails", async () => {
    const engine = await scripted({
      yaml: guards,
      models: { content_safety: judged("safe"), m: text("18 degrees.") },
    });
    const messages = [question, turn(call), answered()];
    const { message } = await engine.rails.generate({ messages, options });
    expect(message.content).toBe("18 degrees.");
    expect(engine.order()).toEqual(["content_safety", "m", "content_safety"]);
    const [before, after] = engine.asked("content_safety");
    expect(JSON.stringify(before?.["messages"])).toContain(`INPUT ${question.content}`);
    expect(JSON.stringify(after?.["messages"])).toContain("OUTPUT 18 degrees.");
  });

  it("IO-019 IO-014 stops at a result that blocks before any model is asked", async () => {
    const engine = await scripted({ yaml: guards, models: { content_safety: judged("safe") } });
    const { status } = await engine.rails.generate({ messages: [question, answered()], options });
    expect(status).toBe("blocked");
    expect(engine.order()).toEqual([]);
  });

  it("IO-021 IO-134 IO-137 stops at an input that blocks before the main model is asked", async () => {
    const engine = await scripted({ yaml: guards, models: { content_safety: judged("unsafe") } });
    const { message, status, violations } = await engine.rails.generate({
      messages: [question],
      options,
    });
    expect({ message, status }).toEqual({ message: refusal, status: "blocked" });
    expect(violations[0]).toMatchObject({
      kind: "input",
      rail: "content safety check input",
    });
    expect(engine.order()).toEqual(["content_safety"]);
  });

  it("IO-019 stops at a call that blocks before the text beside it is judged", async () => {
    const engine = await scripted({
      yaml: guards,
      models: {
        content_safety: judged("safe"),
        m: {
          body: {
            choices: [
              {
                index: 0,
                message: {
                  role: "assistant",
                  content: "I will.",
                  tool_calls: [wireCall("drop_table")],
                },
                finish_reason: "tool_calls",
              },
            ],
          },
        },
      },
    });
    const { message } = await engine.rails.generate({ messages: [question], options });
    expect(message).toEqual(refusal);
    expect(engine.order()).toEqual(["content_safety", "m"]);
  });

  it("IO-021 IO-134 refuses an answer that the output rail blocks", async () => {
    const engine = await scripted({
      yaml: guards,
      models: { content_safety: judged("safe", "unsafe"), m: text("something unsafe") },
    });
    const { message, violations } = await engine.rails.generate({ messages: [question], options });
    expect(message).toEqual(refusal);
    expect(violations[0]?.kind).toBe("output");
    expect(JSON.stringify(violations)).not.toContain("something unsafe");
  });

  it("IO-020 leaves the output rail out where the answer is calls without text", async () => {
    const engine = await scripted({
      yaml: guards,
      models: { content_safety: judged("safe", "unsafe"), m: asks(call) },
    });
    const { message, status } = await engine.rails.generate({ messages: [question], options });
    expect(status).toBe("passed");
    expect(message.tool_calls).toEqual([call]);
    expect(engine.order()).toEqual(["content_safety", "m"]);
  });

  it("IO-071 leaves the output rail out where a stream is calls without text", async () => {
    const engine = await scripted({
      yaml: guards.replace(
        'check output $model=content_safety"]',
        'check output $model=content_safety"], streaming: { enabled: true }',
      ),
      models: { content_safety: judged("safe", "unsafe"), m: streams(streamedCall(call)) },
    });
    const chunks = await all(engine.rails.stream({ messages: [question], options }));
    expect(chunks).toEqual([{ type: "tool_calls", toolCalls: [call] }]);
    expect(engine.order()).toEqual(["content_safety", "m"]);
  });
});

describe("an answer that was asked for while input rails judged", () => {
  const yaml = guards.replace("input: { flows:", "input: { speculative_generation: true, flows:");

  it.each([
    ["is given where they pass", "safe", "18 degrees."],
    ["is thrown away where they block", "unsafe", refusal.content],
  ])("%s", async (_, word, content) => {
    const engine = await scripted({
      yaml,
      models: { content_safety: judged(word, "safe"), m: text("18 degrees.") },
    });
    const { message } = await engine.rails.generate({ messages: [question], options });
    expect(message.content).toBe(content);
  });
});

describe("the toggles of a request", () => {
  const blocked = { m: asks(wireCall("drop_table")), content_safety: judged("unsafe") };

  it.each<[string, unknown, readonly unknown[], string]>([
    ["IO-065 leave every rail on where they say nothing", undefined, ["content_safety"], "blocked"],
    [
      "IO-065 leave every rail on where they say true",
      { input: true, output: true, tool_output: true, tool_input: true },
      ["content_safety"],
      "blocked",
    ],
    ["switch the input rails off", { input: false }, ["m"], "blocked"],
    ["IO-063 switch the check of calls off", { input: false, tool_output: false }, ["m"], "passed"],
    [
      "IO-066 run the flows that a list names",
      { input: ["content safety check input"], tool_output: ["tool call validation"] },
      ["content_safety"],
      "blocked",
    ],
    ["IO-066 run none for an empty list", { input: [], tool_output: [] }, ["m"], "passed"],
    ["IO-117 run the families that a list names and no others", ["tool_output"], ["m"], "blocked"],
    [
      "IO-117 leave calls unchecked where a list of families does not name them",
      ["output"],
      ["m"],
      "passed",
    ],
  ])("%s", async (_, rails, order, status) => {
    const engine = await scripted({ yaml: guards, models: blocked });
    const result = await engine.rails.generate({
      messages: [question],
      options: { ...options, ...(rails !== undefined && { rails: rails as never }) },
    });
    expect(result.status).toBe(status);
    expect(engine.order()).toEqual(order);
  });

  it.each<[string, unknown, string]>([
    [
      "IO-116 P5 are refused where they name a flow that is not known",
      { tool_output: ["tool cal validation"] },
      "tool cal validation",
    ],
    [
      "IO-116 are refused where they name a flow of another family",
      { tool_output: ["tool result validation"] },
      "tool result validation",
    ],
    [
      "P5 are refused where they name a family that is not known",
      { tool_outputs: false },
      "tool_outputs",
    ],
    [
      "IO-118 P5 are refused where a list names a family that is not known",
      ["tool_ouput"],
      "tool_ouput",
    ],
    ["are refused where they are no switch", { tool_output: "off" }, "tool_output"],
  ])("%s", async (_, rails, named) => {
    const engine = await scripted({ yaml: guards, models: blocked });
    const asking = engine.rails.generate({
      messages: [question],
      options: { rails: rails as never },
    });
    await expect(asking).rejects.toThrow(named);
    expect(engine.order()).toEqual([]);
  });
});
