import type { CallRecord } from "@toolstile/core";
import { completionBody, type ModelReply } from "@toolstile/testing";
import { describe, expect, it } from "vitest";
import { RailsConfig } from "../../src/index.js";
import { engine, question } from "../engine/engine.js";

const sql = {
  type: "function",
  function: { name: "run_sql", parameters: { type: "object", additionalProperties: true } },
};
const call = (args: object, id = "c1", name = "run_sql") => ({
  id,
  type: "function",
  function: { name, arguments: JSON.stringify(args) },
});
const safety = (flow: string, task: string, section = "tool_call") => `
rails: { ${section}: { per_tool: { run_sql: ["${flow}"] } } }
prompts:
  - task: ${task}
    content: "{{ tool_name }}: {{ ${section === "tool_call" ? "tool_call_arguments" : "tool_result_content"} }}"
`;
const output = safety(
  "tool safety check output $model=self_check_input $variant=sql",
  "tool_safety_check_output $model=self_check_input $variant=sql",
);
const says = (content: string): ModelReply => ({ body: completionBody({ content }) });

async function judge(yaml: string, replies: readonly ModelReply[], ...calls: readonly object[]) {
  const { rails, server } = await engine(yaml, replies);
  const messages = [question, { role: "assistant", content: null, tool_calls: calls }];
  const result = await rails.check({ messages, tools: [sql], railTypes: ["tool_call"] });
  const prompts = server.requests.map(
    ({ body }) => (body as { messages: { content: string }[] }).messages[0]?.content,
  );
  return { ...result, prompts };
}

describe("tool safety check", () => {
  it("asks its model about the call, and passes what that calls safe", async () => {
    const found = await judge(output, [says("safe")], call({ query: "SELECT 1" }));
    expect(found.status).toBe("passed");
    expect(found.prompts).toEqual(['run_sql: {"query":"SELECT 1"}']);
  });

  it("blocks what it calls unsafe, and does not repeat what it says of it", async () => {
    const found = await judge(output, [says("unsafe: drops users")], call({ query: "DROP u" }));
    expect(found.violations).toMatchObject([
      {
        violationType: "per_tool_rail",
        rail: "tool safety check output $model=self_check_input $variant=sql",
      },
    ]);
    expect(JSON.stringify(found.violations)).not.toMatch(/users|DROP/);
  });

  it.each([
    ["answers something else", says("I think so")],
    ["is down", { status: 400, body: "secret" }],
  ])("fails, and blocks, if the model %s", async (_, reply) => {
    const found = await judge(output, [reply], call({ query: "x" }));
    expect(found.violations).toMatchObject([{ violationType: "rail_failed" }]);
    expect(JSON.stringify(found)).not.toContain("secret");
  });

  it.each([
    ["tool safety check call", "tool_safety_check_output"],
    ["tool safety check tool call", "tool_safety_check_tool_call"],
    ["tool safety check output", "tool_safety_check_output"],
  ])("is found under the name '%s' with the prompt %s", async (flow, task) => {
    const suffix = " $model=self_check_input $variant=v";
    const found = await judge(safety(flow + suffix, task + suffix), [says("safe")], call({}));
    expect(found.status).toBe("passed");
  });

  it("judges a result", async () => {
    const suffix = " $model=self_check_input $variant=v";
    const yaml = safety(
      `tool safety check input${suffix}`,
      `tool_safety_check_input${suffix}`,
      "tool_result",
    );
    const { rails, server } = await engine(yaml, [says("unsafe")]);
    const messages = [
      { role: "assistant", content: null, tool_calls: [call({})] },
      { role: "tool", tool_call_id: "c1", content: "ssn: 1" },
    ];
    const { violations } = await rails.check({ messages, railTypes: ["tool_result"] });
    expect(violations).toMatchObject([{ kind: "tool_result", violationType: "per_tool_rail" }]);
    expect(JSON.stringify(server.requests[0]?.body)).toContain("run_sql: ssn: 1");
  });

  it("is not asked before the flow has passed all calls of the answer", async () => {
    const yaml = output.replace("tool_call: {", "tool_call: { flows: [tool call validation],");
    const found = await judge(yaml, [], call({ query: "x" }), call({}, "c2", "wipe"));
    expect(found.violations).toMatchObject([{ violationType: "tool_not_allowed", index: 1 }]);
    expect(found.prompts).toEqual([]);
  });

  it("ends with the first rail of a call that blocks, and judges the other calls all the same", async () => {
    const flow = (variant: string) =>
      `tool safety check output $model=self_check_input $variant=${variant}`;
    const prompt = (variant: string) =>
      `  - { task: "tool_safety_check_output $model=self_check_input $variant=${variant}", content: "${variant} {{ tool_call_arguments }}" }`;
    const yaml = `
rails: { tool_call: { per_tool: { run_sql: ["${flow("a")}", "${flow("b")}"] } } }
prompts:\n${prompt("a")}\n${prompt("b")}\n`;
    const replies = [says("unsafe"), says("safe"), says("unsafe")];
    const found = await judge(yaml, replies, call({ n: 1 }), call({ n: 2 }, "c2"));
    expect(found.prompts).toEqual(['a {"n":1}', 'a {"n":2}', 'b {"n":2}']);
    expect(found.violations.map(({ rail, index }) => [rail, index])).toEqual([
      [flow("a"), 0],
      [flow("b"), 1],
    ]);
  });

  it("asks at once about all calls with parallel: true, and tells of them in their order", async () => {
    const yaml = output.replace("tool_call: {", "tool_call: { parallel: true,");
    let waiting = 0;
    let go = (): void => {};
    const both = new Promise<void>((resolve) => (go = resolve));
    const reply: ModelReply = {
      respond: async (response) => {
        waiting += 1;
        if (waiting === 2) go();
        await both;
        response.writeHead(200, { "content-type": "application/json" });
        response.end(JSON.stringify(completionBody({ content: "unsafe" })));
      },
    };
    const found = await judge(yaml, [reply, reply], call({ n: 1 }), call({ n: 2 }, "c2"));
    expect(found.violations.map(({ toolCallId }) => toolCallId)).toEqual(["c1", "c2"]);
  });

  it("does not load without its prompt, or its model", async () => {
    const models = [
      { type: "main", engine: "x", model: "m", parameters: { base_url: "http://x" } },
    ];
    const flow = "tool safety check output $model=judge $variant=sql";
    const config = { models, rails: { tool_call: { per_tool: { run_sql: [flow] } } } };
    await expect(RailsConfig.fromContent({ config })).rejects.toThrow(
      /names a model type 'judge' that is not in models/,
    );
    const judged = { ...config, models: [...models, { ...models[0], type: "judge" }] };
    await expect(RailsConfig.fromContent({ config: judged })).rejects.toThrow(
      /Missing a `tool_safety_check_output \$model=judge \$variant=sql` prompt template/,
    );
  });

  it("leaves what it denied on the record of the call", async () => {
    const records: CallRecord[] = [];
    const log = { name: "log", settle: (record: CallRecord) => void records.push(record) };
    const body = completionBody({ content: null, tool_calls: [call({ query: "DROP" })] });
    const reply = (model: string): ModelReply => (model === "main" ? { body } : says("unsafe"));
    const { rails } = await engine(output, reply, { observers: [log] });
    const options = { llm_params: { tools: [sql] } };
    expect((await rails.generate({ messages: [question], options })).status).toBe("blocked");
    expect(records[0]?.outcome?.decisions.at(-1)).toMatchObject({
      provider: "iorails-per-tool",
      decision: "deny",
      code: "rail_blocked",
      metadata: { rail: "tool safety check output $model=self_check_input $variant=sql" },
    });
  });
});
