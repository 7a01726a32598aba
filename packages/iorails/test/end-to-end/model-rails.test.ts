import type { ModelReply } from "@toolstile/testing";
import { describe, expect, it } from "vitest";
import type { GenerationResult } from "../../src/index.js";
import {
  asks,
  getWeather,
  model,
  question,
  refusal,
  scripted,
  text,
  wireCall,
} from "./scripted.js";

interface Case {
  readonly flow: string;
  readonly task: string;
  /** The model that is asked. */
  readonly guard: string;
  readonly prompt: string;
}

/** A configuration with one flow in one family, and the prompt of its task. */
function guarded({ flow, task, guard, prompt }: Case, family: "input" | "output"): string {
  return `${guard === "m" ? "" : model(guard)}rails: { ${family}: { flows: [${JSON.stringify(flow)}] } }
prompts: [{ task: ${JSON.stringify(task)}, ${prompt} }]
`;
}

const topic: Case = {
  flow: "topic safety check input $model=topic_control",
  task: "topic_safety_check_input $model=topic_control",
  guard: "topic_control",
  prompt: 'content: "Talk about the weather only."',
};
const selfInput: Case = {
  flow: "self check input",
  task: "self_check_input",
  guard: "self_check_input",
  prompt: 'content: "Should this be blocked? {{ user_input }}"',
};
const selfOutput: Case = {
  flow: "self check output",
  task: "self_check_output",
  guard: "self_check_output",
  prompt: 'content: "Should this be blocked? {{ bot_response }}"',
};
const facts: Case = {
  flow: "self check facts",
  task: "self_check_facts",
  guard: "self_check_facts",
  prompt: 'content: "EVIDENCE {{ evidence }} ANSWER {{ bot_response }}"',
};
const hallucination: Case = {
  flow: "self check hallucination",
  task: "self_check_hallucination",
  guard: "self_check_hallucination",
  prompt: 'content: "PARAGRAPH {{ paragraph }} STATEMENT {{ statement }}"',
};

const asked = { messages: [question] };

/** The message for what was blocked: another where the rail could not decide. */
function answerTo({ violations }: Pick<GenerationResult, "violations">): typeof refusal {
  const failed = violations[0]?.violationType === "rail_failed";
  return failed
    ? { role: "assistant", content: "I'm sorry, an internal error has occurred." }
    : refusal;
}

describe("a rail on what the user said", () => {
  it.each<[string, Case, string, string]>([
    ["IO-133 topic safety passes on-topic", topic, "on-topic", "passed"],
    ["IO-133 topic safety passes On-Topic with spaces around", topic, " On-Topic \n", "passed"],
    ["IO-133 topic safety blocks off-topic", topic, "off-topic", "blocked"],
    ["IO-133 topic safety blocks an answer that is neither", topic, "I cannot tell.", "blocked"],
    [
      "IO-133 topic safety blocks an answer that only begins so",
      topic,
      "on-topic? off-topic",
      "blocked",
    ],
    ["IO-141 self check passes No", selfInput, "No", "passed"],
    ["IO-141 self check passes a No with its reason", selfInput, "No, 'yes' is fine", "passed"],
    ["IO-141 self check passes a No in bold", selfInput, "**No**", "passed"],
    ["IO-141 self check blocks Yes", selfInput, "Yes, because", "blocked"],
    ["IO-141 self check blocks a negated verdict", selfInput, "not safe", "blocked"],
    ["IO-148 self check blocks an answer that says both", selfInput, "yes no", "blocked"],
    ["IO-148 self check blocks an answer that says neither", selfInput, "nope", "blocked"],
    ["IO-148 self check blocks an empty answer", selfInput, "", "blocked"],
  ])("%s", async (_, given, answer, status) => {
    const engine = await scripted({
      yaml: guarded(given, "input"),
      models: { [given.guard]: text(answer) },
    });
    const result = await engine.rails.generate(asked);
    expect(result.status).toBe(status);
    if (status === "blocked") expect(result.message).toEqual(answerTo(result));
    expect(engine.order()).toEqual(status === "blocked" ? [given.guard] : [given.guard, "m"]);
  });

  it("IO-149 is read as the opposite question where its prompt names yes_allows", async () => {
    const prompt = `${selfInput.prompt}, output_parser: yes_allows`;
    const engine = await scripted({
      yaml: guarded({ ...selfInput, prompt }, "input"),
      models: { self_check_input: [text("Yes"), text("No")] },
    });
    expect((await engine.rails.generate(asked)).status).toBe("passed");
    expect((await engine.rails.generate(asked)).status).toBe("blocked");
  });

  it("IO-138 is shown templates that the user wrote as text", async () => {
    const engine = await scripted({
      yaml: guarded(selfInput, "input"),
      models: { self_check_input: text("No") },
    });
    const written = "{{ 7 * 7 }} {% for x in y %} {{ user_input }}";
    await engine.rails.generate({ messages: [{ role: "user", content: written }] });
    const [body] = engine.asked("self_check_input");
    expect(JSON.stringify(body?.["messages"])).toContain(JSON.stringify(written).slice(1, -1));
  });

  it.each<[string, ModelReply]>([
    ["fails", { status: 400, body: { error: { message: "sk-secret" } } }],
    ["answers no JSON", { body: "<html>" }],
    ["hangs up", { respond: (response) => void response.destroy() }],
  ])("IO-136 blocks where its model %s", async (_, reply) => {
    const engine = await scripted({
      yaml: guarded(selfInput, "input").replace('"{url}" }', '"{url}", max_attempts: 1 }'),
      models: { self_check_input: reply },
    });
    const { status, violations } = await engine.rails.generate(asked);
    expect(status).toBe("blocked");
    expect(violations[0]).toMatchObject({ kind: "input", rail: "self check input" });
    expect(JSON.stringify(violations)).not.toContain("sk-secret");
    expect(engine.asked("m")).toEqual([]);
  });
});

describe("jailbreak detection", () => {
  it.each([
    ["passes what its service finds good", { jailbreak: false, score: -0.9 }, "passed"],
    ["blocks what its service finds bad", { jailbreak: true, score: 0.9 }, "blocked"],
    ["blocks an answer that says nothing", { score: 0.1 }, "blocked"],
  ])("IO-135 %s", async (_, body, status) => {
    const engine = await scripted({
      yaml: `rails:
  input: { flows: [jailbreak detection model] }
  config: { jailbreak_detection: { nim_base_url: "{url}/guard" } }
`,
      models: { "/guard/classify": { body } },
    });
    expect((await engine.rails.generate(asked)).status).toBe(status);
    expect(engine.server.requests[0]?.body).toEqual({ input: question.content });
  });
});

describe("a rail on what the model said", () => {
  it.each<[string, string, string]>([
    ["IO-142 self check passes No", "No", "passed"],
    ["IO-142 self check blocks Yes", "Yes", "blocked"],
    ["IO-148 self check blocks what is no verdict", "I cannot", "blocked"],
  ])("%s", async (_, answer, status) => {
    const engine = await scripted({
      yaml: guarded(selfOutput, "output"),
      models: { self_check_output: text(answer), m: text("18 degrees.") },
    });
    const result = await engine.rails.generate(asked);
    expect(result.status).toBe(status);
    expect(result.message.content).toBe(
      status === "passed" ? "18 degrees." : answerTo(result).content,
    );
  });

  it.each([
    ["calls without text", asks(wireCall("get_weather", { city: "Paris" }))],
    ["nothing", text("")],
  ])("IO-143 self check is not asked about %s", async (_, answer) => {
    const engine = await scripted({
      yaml: guarded(selfOutput, "output"),
      models: { self_check_output: text("Yes"), m: answer },
    });
    const { status } = await engine.rails.generate({
      ...asked,
      options: { llm_params: { tools: [getWeather] } },
    });
    expect(status).toBe("passed");
    expect(engine.order()).toEqual(["m"]);
  });

  it.each([
    ["IO-144 facts passes Yes", "Yes", "passed"],
    ["IO-144 facts blocks No", "No", "blocked"],
    [
      "IO-144 facts blocks a refusal in prose",
      "It seems that the answer goes beyond it.",
      "blocked",
    ],
  ])("%s", async (_, answer, status) => {
    const engine = await scripted({
      yaml: guarded(facts, "output"),
      models: { self_check_facts: text(answer), m: text("18 degrees.") },
    });
    const result = await engine.rails.generate({
      ...asked,
      options: { context: { relevant_chunks: "It is 18 degrees in Paris." } },
    });
    expect(result.status).toBe(status);
    const [body] = engine.asked("self_check_facts");
    const shown = JSON.stringify(body?.["messages"]);
    expect(shown).toContain("EVIDENCE It is 18 degrees in Paris. ANSWER 18 degrees.");
  });

  it("IO-145 facts is not asked where the request brings no evidence", async () => {
    const engine = await scripted({
      yaml: guarded(facts, "output"),
      models: { self_check_facts: text("No"), m: text("18 degrees.") },
    });
    expect((await engine.rails.generate(asked)).status).toBe("passed");
    expect(engine.order()).toEqual(["m"]);
  });

  it.each([
    ["self check hallucination", "Yes", "passed", false],
    ["self check hallucination", "No", "blocked", false],
    ["self check hallucination", "not sure", "blocked", false],
    ["hallucination warning", "Yes", "passed", false],
    ["hallucination warning", "No", "modified", true],
  ])("IO-146 IO-147 %s: %s makes the answer %s", async (flow, answer, status, warned) => {
    const engine = await scripted({
      yaml: guarded({ ...hallucination, flow }, "output"),
      models: {
        self_check_hallucination: text(answer),
        m: [text("18 degrees."), text("18."), text("About 18.")],
      },
    });
    const result = await engine.rails.generate(asked);
    expect(result.status).toBe(status);
    if (warned) expect(result.message.content).toMatch(/^18 degrees\.[\s\S]+/);
    const [first, ...samples] = engine.asked("m");
    expect(samples.map((body) => body["temperature"])).toEqual([1, 1]);
    expect(samples.map((body) => body["messages"])).toEqual([
      first?.["messages"],
      first?.["messages"],
    ]);
    const [body] = engine.asked("self_check_hallucination");
    const shown = JSON.stringify(body?.["messages"]);
    expect(shown).toMatch(/PARAGRAPH (18\.\. About 18\.|About 18\.\. 18\.) STATEMENT 18 degrees\./);
  });
});
