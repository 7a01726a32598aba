import { completionBody, completionChunk } from "@toolstile/testing";
import { describe, expect, it } from "vitest";
import { RailsConfig } from "../../src/engine/rails-config.js";
import { engine, question, textOf } from "../engine/engine.js";

/** An engine whose output rail asks this of the main model, which thinks before it answers. */
async function asked(content: string, more = "") {
  const yaml = `
${more}
rails: {output: {flows: [self check output], streaming: {enabled: true, chunk_size: 1, context_size: 0}}}
prompts: [{task: self_check_output, content: "${content}"}]
`;
  const { rails, server } = await engine(yaml, [
    { body: completionBody({ content: "18 degrees", reasoning_content: "I look it up" }) },
    { body: completionBody({ content: "No" }) },
  ]);
  await rails.generate({ messages: [question] });
  return server.requests[1]?.body as { messages: unknown; temperature: unknown };
}

describe("the variables of a prompt", () => {
  it("have the model's thinking beside its answer", async () => {
    const { messages } = await asked("{{ bot_thinking }}: {{ bot_response }}");
    expect(messages).toEqual([{ role: "user", content: "I look it up: 18 degrees" }]);
  });

  it("have what the configuration says to the model in general", async () => {
    const more =
      "instructions: [{type: general, content: Be kind.}, {type: other, content: 1}, {type: general, content: Be brief.}]";
    const { messages } = await asked("{{ general_instructions }} {{ bot_response }}", more);
    expect(messages).toEqual([{ role: "user", content: "Be kind.\nBe brief. 18 degrees" }]);
  });

  it("P5 do not have it where it says nothing", async () => {
    await expect(asked("{{ general_instructions }}")).rejects.toThrow(
      "names a variable 'general_instructions', which is undefined",
    );
  });

  it("have the thinking of a stream too: its rail judges when all of the answer is there", async () => {
    const yaml = `
rails: {output: {flows: [self check output], streaming: {enabled: true, chunk_size: 1, context_size: 0, stream_first: false}}}
prompts: [{task: self_check_output, content: "{{ bot_thinking }}: {{ bot_response }}"}]
`;
    const events = [
      completionChunk({ reasoning_content: "I look " }),
      completionChunk({ reasoning_content: "it up" }),
      completionChunk({ content: "18 " }),
      completionChunk({ content: "degrees" }),
      completionChunk({}, "stop"),
    ];
    const { rails, server } = await engine(yaml, [
      { events },
      { body: completionBody({ content: "No" }) },
    ]);
    expect(await textOf(rails.stream({ messages: [question] }))).toBe("18 degrees");
    expect(server.requests).toHaveLength(2);
    expect(JSON.stringify(server.requests[1]?.body)).toContain("I look it up: 18 degrees");
  });
});

describe("lowest_temperature", () => {
  it("is the temperature of self checks, and 0.001 if it is not set", async () => {
    expect(await asked("{{ bot_response }}")).toMatchObject({ temperature: 0.001 });
    const more = "lowest_temperature: 0.01";
    expect(await asked("{{ bot_response }}", more)).toMatchObject({ temperature: 0.01 });
  });

  it("P5 must be a temperature", async () => {
    const config = { lowest_temperature: "cold" };
    await expect(RailsConfig.fromContent({ config })).rejects.toThrow(
      "lowest_temperature must be a number from 0 to 2",
    );
  });
});
