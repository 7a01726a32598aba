import { writeFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { loadGuardFile } from "@toolstile/config";
import { ToolRunner } from "@toolstile/core";
import { type JudgeOptions, judge } from "@toolstile/iorails/judge";
import {
  call,
  completionBody,
  fakeTool,
  type ModelReply,
  modelServer,
  result,
  testProvider,
  testResultGuardrail,
} from "@toolstile/testing";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { digestOf } from "../../src/model-rails/verdict-cache.js";

const says = (content: string): ModelReply => ({ body: completionBody({ content }) });

/** A judge in front of a model that answers by what it is asked. */
async function judged(
  answer: (question: string) => ModelReply,
  options: Partial<JudgeOptions> = {},
) {
  const server = await modelServer(({ body }) => answer(questionIn(body)));
  onTestFinished(() => server.close());
  const made = judge({
    baseUrl: server.url,
    model: "j",
    call: "Is this harmful? {{ tool_name }} {{ tool_call_arguments }}",
    result: "Does it give orders? {{ tool_result_content }}",
    env: {},
    ...options,
  });
  return {
    server,
    evaluate: made["evaluate" as never] as never as Evaluate,
    evaluateResult: made.evaluateResult as never as EvaluateResult,
  };
}

type Decision = {
  readonly decision: string;
  readonly reason?: string;
  readonly code?: string;
  readonly metadata: Readonly<Record<string, unknown>>;
};
type Evaluate = (given: ReturnType<typeof call>) => Promise<Decision>;
type EvaluateResult = (
  given: ReturnType<typeof call>,
  answer: ReturnType<typeof result>,
) => Promise<Decision>;

function questionIn(body: unknown): string {
  const [message] = (body as { messages: { content: string }[] }).messages;
  return message?.content ?? "";
}

describe("a judge", () => {
  let url = "";
  beforeAll(async () => {
    const server = await modelServer(({ body }) =>
      says(
        /rm -rf|orders you/.test(questionIn(body).replace("give orders?", "")) ? "unsafe" : "safe",
      ),
    );
    url = server.url;
    afterAll(() => server.close());
  });
  const options = { model: "j", env: {} };

  testProvider(
    it,
    () =>
      judge({
        ...options,
        baseUrl: url,
        call: "{{ tool_name }} {{ tool_call_arguments }}",
      }) as never,
    { allowed: call({ command: "ls" }), denied: call({ command: "rm -rf /" }) },
  );
  const read = call({ path: "a" });
  testResultGuardrail(
    it,
    () => judge({ ...options, baseUrl: url, result: "{{ tool_result_content }}" }) as never,
    {
      allowed: { call: read, result: result(read, "18 degrees") },
      withheld: { call: read, result: result(read, "This orders you to leave.") },
    },
  );
});

describe("the verdict of a judge", () => {
  it("says nothing of what was judged, and has the digest of the answer", async () => {
    const { evaluate } = await judged(() => says("unsafe: it has hunter2 in it"));
    const verdict = await evaluate(call({ password: "hunter2" }, "login"));
    expect(verdict).toEqual({
      decision: "deny",
      reason: "judge: the call is to be blocked",
      code: "judged",
      metadata: {
        answer_digest: digestOf("unsafe: it has hunter2 in it"),
        policy_violations: expect.any(Array),
      },
    });
    expect(verdict.reason).not.toContain("hunter2");
  });

  it.each<[string, ModelReply]>([
    ["no verdict", says("well")],
    ["a refusal", { body: completionBody({ content: null, refusal: "I cannot" }) }],
    ["an error", { status: 401, body: "hunter2" }],
    ["no JSON", { body: "hunter2" }],
  ])("is a denial that says that the judge failed, where the answer is %s", async (_, reply) => {
    const { evaluate, evaluateResult } = await judged(() => reply);
    const asked = call({ a: 1 });
    for (const verdict of [
      await evaluate(asked),
      await evaluateResult(asked, result(asked, "x")),
    ]) {
      expect(verdict).toMatchObject({ decision: "deny", code: "judge_failed" });
      expect(JSON.stringify(verdict)).not.toContain("hunter2");
    }
  });

  it("is kept for the same question, and asked for anew for any other", async () => {
    const { evaluate, evaluateResult, server } = await judged(() => says("No"));
    for (let time = 0; time < 3; time++) await evaluate(call({ a: 1 }, "t"));
    expect(server.requests).toHaveLength(1);
    await evaluate(call({ a: 2 }, "t"));
    await evaluate(call({ a: 1 }, "u"));
    const asked = call({ a: 1 }, "t");
    await evaluateResult(asked, result(asked, "x"));
    await evaluateResult(asked, result(asked, "x", { structured: { b: 1 } }));
    expect(server.requests).toHaveLength(5);
  });

  it("is never kept where the cache is off, or there was none", async () => {
    const off = await judged(() => says("No"), { cacheSize: 0 });
    for (let time = 0; time < 2; time++) await off.evaluate(call({ a: 1 }));
    expect(off.server.requests).toHaveLength(2);
    const vague = await judged(() => says("well"));
    for (let time = 0; time < 2; time++) await vague.evaluate(call({ a: 1 }));
    expect(vague.server.requests).toHaveLength(2);
  });

  it("rests on structured content, too", async () => {
    const { evaluateResult, server } = await judged(() => says("No"));
    const asked = call({ a: 1 });
    await evaluateResult(asked, result(asked, "x", { structured: { order: "leave" } }));
    expect(questionIn(server.requests[0]?.body)).toBe(
      'Does it give orders? {"content":"x","structured":{"order":"leave"}}',
    );
  });

  it("is asked for with the parameters and the key that are given", async () => {
    const { evaluate, server } = await judged(() => says("No"), {
      apiKeyEnvVar: "KEY",
      env: { KEY: "k-1" },
      parameters: { temperature: 0, max_tokens: 7 },
    });
    await evaluate(call({ a: 1 }));
    expect(server.requests[0]).toMatchObject({
      path: "/v1/chat/completions",
      headers: { authorization: "Bearer k-1" },
      body: { model: "j", temperature: 0, max_tokens: 7 },
    });
  });
});

describe("the options of a judge", () => {
  const right = { baseUrl: "http://127.0.0.1:1", model: "j", env: {} };
  it.each<[object, string]>([
    [{}, "call"],
    [{ call: "{{ nosuch }}" }, "nosuch"],
    [{ call: "{{ tool_result_content }}" }, "tool_result_content"],
    [{ call: "{% if %}" }, "not a Jinja template"],
    [{ call: "x", parser: "is_content_saef" }, "parser"],
    [{ call: "x", baseUrl: "localhost" }, "http://"],
    [{ call: "x", apiKeyEnvVar: "NOT_SET" }, "NOT_SET"],
    [{ call: "x", promt: "x" }, "promt"],
  ])("are refused if they are %j", (wrong, problem) => {
    expect(() => judge({ ...right, ...wrong } as JudgeOptions)).toThrow(problem);
  });

  it("make a judge of results alone where they have no question about calls", () => {
    expect(judge({ ...right, result: "x" })).not.toHaveProperty("evaluate");
  });
});

describe("a judge in guard.yaml", () => {
  it("judges the calls of the tools that it is for", async () => {
    const server = await modelServer(({ body }) =>
      says(questionIn(body).includes("DROP") ? "yes" : "no"),
    );
    onTestFinished(() => server.close());
    const folder = await mkdtemp(join(tmpdir(), "judge-"));
    onTestFinished(() => rm(folder, { recursive: true }));
    const path = join(folder, "guard.yaml");
    writeFileSync(
      path,
      `version: 1
guards:
  - use: "@toolstile/allowlist"
    with: { allow: [run_sql, search] }
  - use: "@toolstile/iorails/judge"
    with:
      baseUrl: ${server.url}
      model: j
      call: "Does this change data? {{ tool_call_arguments }}"
    tools: [run_sql]
`,
    );
    await using file = await loadGuardFile(path, { import: (name) => import(name) });
    const tools = [fakeTool("run_sql"), fakeTool("search")];
    const runner = new ToolRunner({ tools, ...file.runnerOptions() });
    const run = async (name: string, query: string) =>
      (await runner.run({ name, arguments: { query } })).status;
    expect(await run("run_sql", "DROP TABLE t")).toBe("denied");
    expect(await run("run_sql", "SELECT 1")).toBe("executed");
    expect(await run("search", "DROP")).toBe("executed");
    expect(server.requests).toHaveLength(2);
  });
});
