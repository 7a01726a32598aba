import { completionBody, completionChunk, type ModelReply } from "@toolstile/testing";
import { describe, expect, it } from "vitest";
import { engine, question, textOf } from "./engine.js";

describe("text that waits for the judgement of the whole", () => {
  const facts = `
rails: {output: {flows: [self check facts], streaming: {enabled: true, stream_first: false}}}
prompts: [{task: self_check_facts, content: "{{ evidence }} {{ response }}{{ bot_response }}"}]
`.replace("{{ response }}", "");
  const options = { context: { relevant_chunks: ["It is 18 degrees."] } };
  const answer = (...texts: string[]): ModelReply => ({
    events: [...texts.map((content) => completionChunk({ content })), completionChunk({}, "stop")],
  });

  it("is written out as it was judged, without the thinking that no rail has seen", async () => {
    const { rails } = await engine(facts, (model) =>
      model === "main"
        ? answer("<think>plan", "</think>", "18 degrees")
        : { body: completionBody({ content: "Yes" }) },
    );
    expect(await textOf(rails.stream({ messages: [question], options }))).toBe("18 degrees");
  });

  it("is nothing where all of it was thinking", async () => {
    const { rails } = await engine(facts, (model) =>
      model === "main"
        ? answer("<think>secret plan</think>")
        : { body: completionBody({ content: "Yes" }) },
    );
    expect(await textOf(rails.stream({ messages: [question], options }))).not.toContain("secret");
  });

  it("never leaves where the rail says no", async () => {
    const { rails } = await engine(facts, (model) =>
      model === "main" ? answer("40 ", "degrees") : { body: completionBody({ content: "No" }) },
    );
    expect(await textOf(rails.stream({ messages: [question], options }))).toBe("[violation]");
  });
});
