import { completionBody, type ModelReply, modelServer } from "@toolstile/testing";
import { describe, expect, it } from "vitest";
import { modelClient, serviceClient, systemPorts } from "../../src/http/model-client.js";
import { buildRails } from "../../src/model-rails/build.js";
import type { RailPorts } from "../../src/model-rails/rail.js";
import { runRails } from "../../src/model-rails/run-rails.js";
import { config, flow, model, prompt, user } from "./data.js";

const ports = { ...systemPorts, env: {} };
const data = config([
  prompt("content_safety_check_input $model=guard", "{{ user_input }}", {
    outputParser: "nemoguard_parse_prompt_safety",
  }),
  prompt("content_safety_check_output $model=guard", "{{ bot_response }}", {
    outputParser: "nemotron_reasoning_parse_response_safety",
    maxTokens: 400,
  }),
  prompt("topic_safety_check_input $model=guard", "Talk of tea."),
  prompt("self_check_input", "Block {{ user_input }}?"),
  prompt("self_check_output", "Block {{ bot_response }}?"),
  prompt("self_check_facts", "{{ evidence }} entails {{ bot_response }}?"),
  prompt("self_check_hallucination", "{{ paragraph }} agrees with {{ statement }}?"),
]);

const says = (content: string): ModelReply => ({ body: completionBody({ content }) });
const guard = "$model=guard";

/** The real clients, all against one server. */
function clients(url: string): RailPorts {
  const parameters = { base_url: url, max_attempts: 1 };
  const models = new Map(
    data.models.map(({ type }) => [type, modelClient({ ...model(type), parameters }, ports)]),
  );
  const service = serviceClient({ name: "jailbreak_detection", url: `${url}/classify` }, ports);
  return {
    ask: async (type, body, signal) => {
      const client = models.get(type);
      if (client === undefined) throw new Error("no such model");
      return client.complete(body, { signal });
    },
    classify: (_, body, signal) => service.post(body, { signal }),
  };
}

describe("rails over HTTP", () => {
  it.each<[string, "input" | "output", readonly ModelReply[], string]>([
    [`content safety check input ${guard}`, "input", [says('{"User Safety":"safe"}')], "passed"],
    [`content safety check input ${guard}`, "input", [says('{"User Safety":"unsafe"}')], "policy"],
    [
      `content safety check output ${guard}`,
      "output",
      [says("<think>t</think>\nResponse Harm: unharmful")],
      "passed",
    ],
    [
      `content safety check output ${guard}`,
      "output",
      [says("<think>Response Harm: unharmful</think>\nResponse Harm: harmful")],
      "policy",
    ],
    [`topic safety check input ${guard}`, "input", [says("on-topic")], "passed"],
    [`topic safety check input ${guard}`, "input", [says("off-topic")], "policy"],
    ["jailbreak detection model", "input", [{ body: { jailbreak: false, score: -0.9 } }], "passed"],
    ["jailbreak detection model", "input", [{ body: { jailbreak: true, score: 0.9 } }], "policy"],
    ["self check input", "input", [says("No")], "passed"],
    ["self check input", "input", [says("Yes")], "policy"],
    ["self check output", "output", [says("No")], "passed"],
    ["self check output", "output", [says("Yes")], "policy"],
    ["self check facts", "output", [says("Yes")], "passed"],
    ["self check facts", "output", [says("No")], "policy"],
    ["self check hallucination", "output", [says("one"), says("two"), says("Yes")], "passed"],
    ["self check hallucination", "output", [says("one"), says("two"), says("No")], "policy"],
    ["hallucination warning", "output", [says("one"), says("two"), says("No")], "modified"],
    [
      "self check input",
      "input",
      [{ status: 404, body: { error: "hunter2" } }],
      "self check input failed: status 404",
    ],
    ["self check input", "input", [{ body: "hunter2" }], "self check input failed: malformed"],
    [
      "self check input",
      "input",
      [{ respond: (response) => void response.destroy() }],
      "self check input failed: network",
    ],
    [
      "jailbreak detection model",
      "input",
      [{ status: 422, body: "hunter2" }],
      "jailbreak detection model failed: status 422",
    ],
  ])("%s (%s), answered %j, comes to %s", async (text, direction, replies, expected) => {
    await using server = await modelServer(replies);
    const subject = { messages: [user("hi")], botResponse: "bot", evidence: ["e"] };
    const { verdict } = await runRails(
      buildRails([flow(text)], data, direction),
      subject,
      clients(server.url),
      {
        parallel: false,
        direction,
      },
    );
    const error =
      verdict.status === "blocked" && verdict.basis === "error" ? verdict.reason : undefined;
    const basis = verdict.status === "blocked" ? verdict.basis : verdict.status;
    expect(error ?? basis).toBe(expected);
    expect(server.requests).toHaveLength(replies.length);
  });

  it("closes the other rails' connections on a block in parallel", async () => {
    let asked: (() => void) | undefined;
    const both = new Promise<void>((resolve) => {
      asked = resolve;
    });
    await using server = await modelServer(async ({ path }) => {
      if (path.includes("classify")) {
        await both;
        return { body: { jailbreak: true, score: 1 } };
      }
      asked?.();
      return { respond: () => new Promise<void>(() => {}) };
    });
    const rails = buildRails(
      [flow("self check input"), flow("jailbreak detection model")],
      data,
      "input",
    );
    const found = await runRails(rails, { messages: [user("hi")] }, clients(server.url), {
      parallel: true,
      direction: "input",
    });
    expect(found).toMatchObject({
      flow: "jailbreak detection model",
      verdict: { reason: "Score: 1" },
    });
    const model = server.requests.find(({ path }) => !path.includes("classify"));
    expect(await model?.left).toBe(true);
  });
});
