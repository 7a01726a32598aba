import { describe, expect, it } from "vitest";
import { generated } from "./asked-once.js";
import { asks, declared, getWeather, onlyAsked, question, scripted, wireCall } from "./scripted.js";

describe("the tools of a request", () => {
  it("IO-001 IO-039 IO-040 reach the model as they were declared", async () => {
    const engine = await scripted();
    const odd = [{ ...getWeather, strict: true, "x-note": { deep: [1, null] } }];
    await engine.rails.generate({
      messages: [question],
      options: { llm_params: { tools: odd, tool_choice: "auto", parallel_tool_calls: false } },
    });
    expect(onlyAsked(engine)).toMatchObject({
      tools: odd,
      tool_choice: "auto",
      parallel_tool_calls: false,
    });
  });

  it.each([
    ["IO-007 block a call where they cannot be read", 7],
    ["IO-007 block a call where they are an object", { get_weather: getWeather }],
    [
      "IO-102 block a call where one name has two definitions",
      [getWeather, declared("get_weather", { type: "object" })],
    ],
  ])("%s", async (_, broken) => {
    const { status, violations } = await generated(
      asks(wireCall("get_weather", { city: "Paris" })),
      broken,
    );
    expect(status).toBe("blocked");
    expect(violations[0]).toMatchObject({ kind: "tool_call", violationType: "invalid_toolset" });
  });
});

describe("the tools of the configuration", () => {
  const inConfig = [
    `tools: ${JSON.stringify([getWeather, declared("list_cities")])}`,
    "temperature: 0.5",
  ];

  it.each([
    [
      "IO-044 count where the request declares none",
      undefined,
      wireCall("get_weather", { city: "Paris" }),
      "passed",
    ],
    [
      "IO-044 hold the arguments to their schema",
      undefined,
      wireCall("get_weather", { city: 7 }),
      "blocked",
    ],
    [
      "IO-045 count beside those of the request",
      [declared("ping")],
      wireCall("list_cities"),
      "passed",
    ],
    ["IO-045 leave those of the request standing", [declared("ping")], wireCall("ping"), "passed"],
    [
      "IO-101 give way to a definition of the request",
      [
        declared("get_weather", {
          type: "object",
          properties: { zip: { type: "integer" } },
          required: ["zip"],
        }),
      ],
      wireCall("get_weather", { zip: 75001 }),
      "passed",
    ],
    [
      "IO-101 do not stand where the request defines the name anew",
      [declared("get_weather")],
      wireCall("get_weather", { city: "Paris" }),
      "blocked",
    ],
  ])("%s", async (_, requested, call, status) => {
    const engine = await scripted({ parameters: inConfig, models: { m: asks(call) } });
    const result = await engine.rails.generate({
      messages: [question],
      ...(requested !== undefined && { options: { llm_params: { tools: requested } } }),
    });
    expect(result.status).toBe(status);
  });

  it("IO-044 reach the model with the other parameters", async () => {
    const engine = await scripted({ parameters: inConfig });
    await engine.rails.generate({ messages: [question] });
    expect(onlyAsked(engine)).toMatchObject({
      temperature: 0.5,
      tools: [getWeather, declared("list_cities")],
    });
    expect(onlyAsked(engine)).not.toHaveProperty("base_url");
  });
});
