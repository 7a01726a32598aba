import { completionBody } from "@toolstile/testing";
import { describe, expect, it } from "vitest";
import { call, engine, question, toolRails, weather } from "./engine.js";

describe("what the caller changes after it has asked", () => {
  it("P6 changes neither the rails that run nor the conversation that is sent", async () => {
    const { rails, server } = await engine(toolRails, [
      {
        body: completionBody({
          content: null,
          tool_calls: [{ ...call, function: { name: "nope", arguments: "{}" } }],
        }),
      },
    ]);
    const messages = [{ ...question }];
    const options = {
      llm_params: { tools: [structuredClone(weather)] },
      rails: { tool_output: true },
    };
    const answering = rails.generate({ messages, options });
    options.rails.tool_output = false;
    (messages[0] as { content: string }).content = "EVIL";
    options.llm_params.tools.push({
      type: "function",
      function: { name: "nope", parameters: weather.function.parameters },
    });
    expect((await answering).status).toBe("blocked");
    expect(JSON.stringify(server.requests[0]?.body)).not.toContain("EVIL");
  });
});

describe("a conversation that changes while check() asks somebody", () => {
  it("P6 is judged and given back as it was", async () => {
    const input = `
rails: {input: {flows: [self check input]}}
prompts: [{task: self_check_input, content: "{{ user_input }}"}]
`;
    const { rails, server } = await engine(input, () => ({
      body: completionBody({ content: "No" }),
    }));
    const messages = [{ role: "user", content: "fine" }];
    const checking = rails.check({ messages });
    (messages[0] as { content: string }).content = "EVIL";
    expect(await checking).toMatchObject({ status: "passed", content: "fine" });
    expect(JSON.stringify(server.requests[0]?.body)).not.toContain("EVIL");
  });
});
