import { completionBody } from "@toolstile/testing";
import { describe, expect, it } from "vitest";
import { engine, question } from "./engine.js";

describe("a guard model that refuses to answer", () => {
  it.each<[string, Record<string, unknown>]>([
    ["in a field of its own", { content: null, refusal: "No, I cannot help with that." }],
    ["in a part", { content: [{ type: "refusal", refusal: "No." }] }],
  ])("has given no verdict: %s", async (_, message) => {
    const input = `
rails: {input: {flows: [self check input]}}
prompts: [{task: self_check_input, content: "{{ user_input }}"}]
`;
    const { rails } = await engine(input, () => ({ body: completionBody(message) }));
    const { status, violations } = await rails.generate({ messages: [question] });
    expect(status).toBe("blocked");
    expect(violations).toMatchObject([{ violationType: "rail_failed" }]);
  });
});
