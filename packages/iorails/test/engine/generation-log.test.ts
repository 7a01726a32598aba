import { completionBody } from "@toolstile/testing";
import { describe, expect, it } from "vitest";
import { call, engine, question, weather } from "./engine.js";

const secret = "hunter2@example.com";
const asked = { log: { activated_rails: true, llm_calls: true } };
const usage = { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 };
const says = (content: string) => ({ body: { ...completionBody({ content }), usage } });
const byName = (answers: Readonly<Record<string, string>>) => (model: string) =>
  says(answers[model] ?? "No");

const judged = `
rails:
  input: { flows: [regex check input, self check input] }
  output: { flows: [regex check output] }
  config:
    regex_detection:
      input: { patterns: [detonator] }
      output: { patterns: ["@example"] }
prompts: [{ task: self_check_input, content: "Block? {{ user_input }}" }]
`;

describe("options.log of generate()", () => {
  it.each([
    ["", "asked after the input is judged"],
    ["speculative_generation: true, ", "asked before"],
  ])(
    "lists the rails and the main model in the order of the request's way, with %o, where it is %s",
    async (setting) => {
      const yaml = judged.replace("input: { flows", `input: { ${setting}flows`);
      const { rails } = await engine(yaml, byName({ main: "fine" }));
      const { log } = await rails.generate({ messages: [question], options: asked });
      const names = log?.activated_rails.map(({ type, name, stop }) => [type, name, stop]);
      expect(names).toEqual([
        ["input", "regex check input", false],
        ["input", "self check input", false],
        ["generation", "generation", false],
        ["output", "regex check output", false],
      ]);
    },
  );

  it("IO-156 ends with the rail that blocked", async () => {
    const { rails } = await engine(judged, byName({ self_check_input: "Yes" }));
    const { log } = await rails.generate({ messages: [question], options: asked });
    expect(log?.activated_rails.at(-1)).toMatchObject({
      name: "self check input",
      stop: true,
      executed_actions: [
        { action_name: "self_check_input", return_value: { allowed: false, failed: false } },
      ],
    });
  });

  it("tells a rail that could not decide", async () => {
    const { rails } = await engine(judged, byName({ self_check_input: "perhaps" }));
    const { log } = await rails.generate({ messages: [question], options: asked });
    const [action] = log?.activated_rails.at(-1)?.executed_actions ?? [];
    expect(action?.return_value).toMatchObject({ allowed: false, failed: true });
  });

  it("leaves out a parallel rail that was cancelled", async () => {
    const parallel = judged.replace("input: { flows", "input: { parallel: true, flows");
    const { rails } = await engine(parallel, byName({ self_check_input: "Yes" }));
    const messages = [{ role: "user", content: "a detonator" }];
    const { log } = await rails.generate({ messages, options: asked });
    expect(log?.activated_rails.map(({ name }) => name)).toEqual(["regex check input"]);
  });

  it("has the answers of models with their tokens, and adds them up", async () => {
    const { rails } = await engine(judged, byName({ main: "fine" }));
    const { log } = await rails.generate({ messages: [question], options: asked });
    expect(log?.llm_calls).toMatchObject([
      { task: "self_check_input", llm_model_name: "self_check_input", total_tokens: 5 },
      { task: "general", llm_model_name: "main", llm_provider_name: "openai" },
    ]);
    expect(log?.stats).toMatchObject({ llm_calls_count: 2, llm_calls_total_tokens: 10 });
  });

  it("takes times from the host's clock", async () => {
    let now = 5_000;
    const clock = { now: () => now, setTimeout, clearTimeout };
    const answer = (model: string) => {
      if (model === "main") now += 1_500;
      return says("No");
    };
    const { rails } = await engine(judged, answer, { clock: clock as never });
    const { log } = await rails.generate({ messages: [question], options: asked });
    const generation = log?.activated_rails.find(({ type }) => type === "generation");
    expect(generation).toMatchObject({ started_at: 5, finished_at: 6.5, duration: 1.5 });
    expect(log?.stats).toMatchObject({ total_duration: 1.5, generation_rails_duration: 1.5 });
  });

  it.each([
    ["activated_rails", { activated_rails: [expect.anything()] }],
    ["llm_calls", { activated_rails: [], llm_calls: [expect.anything()] }],
  ])("has only what is asked for by %s", async (member, wanted) => {
    const { rails } = await engine("", byName({ main: "fine" }));
    const options = { log: { [member]: true } };
    const { log } = await rails.generate({ messages: [question], options });
    expect(log).toMatchObject(wanted);
    expect(log !== undefined && "llm_calls" in log).toBe(member === "llm_calls");
  });

  it("is absent where nothing is asked for", async () => {
    const { rails } = await engine("", byName({ main: "fine" }));
    const result = await rails.generate({ messages: [question], options: { log: {} } });
    expect(result.log).toBeUndefined();
  });

  it.each([
    ["a block of the input", "a detonator for hunter2@example.com", "fine"],
    ["a block of the output", "What is it?", "write to hunter2@example.com"],
    ["an answer that passes", "I am hunter2@example.com", "fine"],
  ])("IO-157 has no judged text after %s", async (_, content, answer) => {
    const { rails } = await engine(judged, byName({ main: answer }));
    const messages = [{ role: "user", content }];
    const { log } = await rails.generate({ messages, options: asked });
    expect(log?.activated_rails).not.toHaveLength(0);
    expect(JSON.stringify(log)).not.toContain(secret);
  });

  it.each(["internal_events", "colang_history"])("refuses %s", async (member) => {
    const { rails } = await engine("", []);
    const options = { log: { [member]: true } } as never;
    await expect(rails.generate({ messages: [question], options })).rejects.toThrow(
      `'options.log.${member}' must be false`,
    );
  });

  it.each(["output_vars", "llm_output"])("refuses %s, but takes its default", async (member) => {
    const { rails } = await engine("", byName({ main: "fine" }));
    const ask = (value: unknown) =>
      rails.generate({ messages: [question], options: { [member]: value } as never });
    await expect(ask(true)).rejects.toThrow(`'options.${member}' must be false`);
    for (const nothing of [false, null, []]) {
      await expect(ask(nothing)).resolves.toMatchObject({ status: "passed" });
    }
  });

  it("IO-158 refuses a stream", async () => {
    const { rails } = await engine("", []);
    expect(() => rails.stream({ messages: [question], options: asked })).toThrow(
      "A stream has no log.",
    );
  });
});

const ofTools = `
rails:
  tool_call:
    flows: [tool call validation]
    per_tool: { weather: [regex check tool call] }
  tool_result:
    flows: [tool result validation]
    per_tool: { weather: [regex check tool result] }
  config:
    regex_detection:
      tool_call: { weather: { patterns: [hunter2] } }
      tool_result: { weather: { patterns: [hunter2] } }
`;
const turn = [question, { role: "assistant", content: null, tool_calls: [call] }];
const result = (content: string) => ({ role: "tool", tool_call_id: "c1", content });
const options = { llm_params: { tools: [weather] }, ...asked };

describe("the log of rails on tools", () => {
  it("has the flow and the rails of the called tool", async () => {
    const body = completionBody({ content: null, tool_calls: [call] });
    const { rails } = await engine(ofTools, [{ body }]);
    const { log } = await rails.generate({ messages: [...turn, result("fine")], options });
    expect(log?.activated_rails.map(({ type, name }) => [type, name])).toEqual([
      ["tool_result", "tool result validation"],
      ["tool_result", "regex check tool result"],
      ["generation", "generation"],
      ["tool_call", "tool call validation"],
      ["tool_call", "regex check tool call"],
    ]);
  });

  it("has a rail whose verdict on a result was kept, if it blocks", async () => {
    const { rails } = await engine(ofTools, []);
    const messages = [...turn, result(`password ${secret}`)];
    const first = await rails.generate({ messages, options });
    const { log } = await rails.generate({ messages, options });
    expect(log?.activated_rails.at(-1)).toMatchObject({
      type: "tool_result",
      name: "regex check tool result",
      stop: true,
    });
    expect(first.log?.activated_rails).toHaveLength(log?.activated_rails.length ?? 0);
    expect(JSON.stringify([first.log, log])).not.toContain(secret);
  });

  it("has a guard of the host that denied", async () => {
    const guard = { name: "never", evaluate: () => ({ decision: "deny", reason: "no" }) as const };
    const body = completionBody({ content: null, tool_calls: [call] });
    const { rails } = await engine(ofTools, [{ body }], { providers: { toolCall: [guard] } });
    const { log } = await rails.generate({ messages: [question], options });
    const last = log?.activated_rails.slice(-3).map(({ name, stop }) => [name, stop]);
    expect(last).toEqual([
      ["tool call validation", false],
      ["regex check tool call", false],
      ["never", true],
    ]);
  });

  it("is given by check() too", async () => {
    const { rails } = await engine(ofTools, []);
    const messages = [...turn, result("fine")];
    const { log } = await rails.check({ messages, options });
    expect(log?.activated_rails.map(({ name }) => name)).toEqual([
      "tool result validation",
      "regex check tool result",
      "tool call validation",
      "regex check tool call",
    ]);
    expect(await rails.check({ messages })).not.toHaveProperty("log.stats");
  });
});
