import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { completionBody, type ModelServer, modelServer } from "@toolstile/testing";
import { describe, expect, it, onTestFinished } from "vitest";
import { Guardrails, RailsConfig } from "../../src/index.js";

/** A provider as a stranger publishes it, that says how often it was asked and admitted. */
const guard = `
export const seen = [];
export const plugin = {
  name: "only-cities",
  optionsSchema: {
    type: "object",
    properties: { cities: { type: "array", items: { type: "string" } } },
    required: ["cities"],
    additionalProperties: false,
  },
  create: ({ cities }) => ({
    name: "only-cities",
    evaluate: ({ args }) => {
      seen.push("evaluate");
      return cities.includes(args.city)
        ? { decision: "allow" }
        : { decision: "modify", modifiedArgs: { ...args, city: cities[0] } };
    },
    admit: () => {
      seen.push("admit");
      return { decision: "allow" };
    },
    settle: (call, { status, executed }) => void seen.push(status + " " + executed),
    evaluateResult: (call, { content }) =>
      content.includes("hot")
        ? { decision: "modify", modifiedResult: { content: content.replaceAll("hot", "warm") } }
        : { decision: "allow" },
  }),
};
`;

interface Folder {
  readonly path: string;
  readonly seen: () => Promise<string[]>;
}

function folderWith(url: string, rails: string): Folder {
  const path = mkdtempSync(join(tmpdir(), "toolstile-iorails-"));
  onTestFinished(() => rmSync(path, { recursive: true }));
  const file = join(path, "guard.mjs");
  writeFileSync(file, guard);
  const models = `models: [{type: main, engine: openai, model: m, parameters: {base_url: "${url}"}}]\n`;
  writeFileSync(join(path, "config.yml"), models + rails);
  return { path, seen: async () => (await import(/* @vite-ignore */ file)).seen };
}

const weather = {
  type: "function",
  function: {
    name: "weather",
    parameters: { type: "object", properties: { city: { type: "string" } } },
  },
};
const call = (city: string) => ({
  id: "call_1",
  type: "function",
  function: { name: "weather", arguments: JSON.stringify({ city }) },
});
const question = { role: "user", content: "How is the weather?" };
const options = { llm_params: { tools: [weather] } };

async function asking(...cities: string[]): Promise<ModelServer> {
  const server = await modelServer(
    cities.map((city) => ({ body: completionBody({ content: null, tool_calls: [call(city)] }) })),
  );
  onTestFinished(() => server.close());
  return server;
}

const mounted = `rails:
  tool_output:
    flows: [tool call validation]
    providers: [{use: ./guard.mjs, with: {cities: [Paris]}}]
`;

describe("a provider that a configuration mounts by name", () => {
  it("rewrites arguments, is admitted once, and hears that the call was released", async () => {
    const server = await asking("Rome");
    const folder = folderWith(server.url, mounted);
    await using rails = new Guardrails(await RailsConfig.fromPath(folder.path));
    const { message, status } = await rails.generate({ messages: [question], options });
    expect(status).toBe("modified");
    expect(message.tool_calls?.[0]?.function?.arguments).toBe('{"city":"Paris"}');
    const seen = await folder.seen();
    expect(seen.filter((step) => step === "admit")).toHaveLength(1);
    expect(seen.at(-1)).toBe("released unknown");
  });

  it("is asked by check and never admitted, so that nothing is taken", async () => {
    const server = await asking();
    const folder = folderWith(server.url, mounted);
    await using rails = new Guardrails(await RailsConfig.fromPath(folder.path));
    const assistant = { role: "assistant", content: null, tool_calls: [call("Rome")] };
    const verdict = await rails.check({ messages: [question, assistant], tools: [weather] });
    expect(verdict).toMatchObject({ status: "modified", rail: "only-cities" });
    expect(verdict.messages[1]?.["tool_calls"]).toMatchObject([
      { function: { arguments: '{"city":"Paris"}' } },
    ]);
    const seen = await folder.seen();
    expect(seen.length).toBeGreaterThan(0);
    expect(new Set(seen)).toEqual(new Set(["evaluate"]));
    expect(server.requests).toEqual([]);
  });

  it("gives back what it took when an output rail blocks the text beside the call", async () => {
    const server = await modelServer((request) => {
      const { model } = request.body as { model: string };
      return model === "m"
        ? { body: completionBody({ content: "Bad words.", tool_calls: [call("Paris")] }) }
        : { body: completionBody({ content: "Yes" }) };
    });
    onTestFinished(() => server.close());
    const folder = folderWith(
      server.url,
      `${mounted}  output: {flows: [self check output]}
prompts: [{task: self_check_output, content: "Block {{ bot_response }}?"}]
`,
    );
    writeFileSync(
      join(folder.path, "guard-model.yml"),
      `models: [{type: self_check_output, engine: openai, model: g, parameters: {base_url: "${server.url}"}}]`,
    );
    await using rails = new Guardrails(await RailsConfig.fromPath(folder.path));
    const { status } = await rails.generate({ messages: [question], options });
    expect(status).toBe("blocked");
    expect((await folder.seen()).at(-1)).toBe("aborted false");
  });

  it("rewrites a result before the model reads it", async () => {
    const server = await modelServer([{ body: completionBody({ content: "Fine." }) }]);
    onTestFinished(() => server.close());
    const folder = folderWith(
      server.url,
      "rails: {tool_input: {providers: [{use: ./guard.mjs, with: {cities: [Paris]}}]}}\n",
    );
    await using rails = new Guardrails(await RailsConfig.fromPath(folder.path));
    const messages = [
      question,
      { role: "assistant", content: null, tool_calls: [call("Paris")] },
      { role: "tool", tool_call_id: "call_1", content: "It is hot." },
    ];
    expect(await rails.generate({ messages, options })).toMatchObject({ status: "modified" });
    expect(server.requests[0]?.body).toMatchObject({
      messages: [{}, {}, { role: "tool", tool_call_id: "call_1", content: "It is warm." }],
    });
    expect(messages[2]).toMatchObject({ content: "It is hot." });
    expect(await folder.seen()).not.toContain("admit");
  });

  it.each<[string, string, RegExp]>([
    ["is not there", "./nothing.mjs", /rails\.tool_output\.providers\[0\]/],
    [
      "has wrong options",
      "./guard.mjs, with: {towns: []}",
      /rails\.tool_output\.providers\[0\].*towns/s,
    ],
  ])("P5 refuses every request, and start(), where it %s", async (_, use, message) => {
    const server = await asking("Paris", "Paris");
    const folder = folderWith(server.url, `rails: {tool_output: {providers: [{use: ${use}}]}}\n`);
    await using rails = new Guardrails(await RailsConfig.fromPath(folder.path));
    const refusal = { code: "ERR_PLUGIN", message: expect.stringMatching(message) };
    await expect(rails.start()).rejects.toMatchObject(refusal);
    await expect(rails.generate({ messages: [question], options })).rejects.toMatchObject(refusal);
    await expect(rails.stream({ messages: [question] }).next()).rejects.toMatchObject(refusal);
    await expect(rails.check({ messages: [question] })).rejects.toMatchObject(refusal);
    expect(server.requests).toEqual([]);
  });

  it("P5 is refused under a section where it would be asked nothing", async () => {
    const config = await RailsConfig.fromContent({
      config: {
        models: [
          { type: "main", engine: "x", model: "m", parameters: { base_url: "http://127.0.0.1:9" } },
        ],
      },
    });
    const judge = { name: "judge", evaluateResult: () => ({ decision: "allow" }) as const };
    const decider = { name: "decider", evaluate: () => ({ decision: "allow" }) as const };
    expect(
      () => new Guardrails(config, { providers: { toolCall: [judge as never] } }),
    ).toThrowError(/judges results only/);
    expect(() => new Guardrails(config, { providers: { toolResult: [decider] } })).toThrowError(
      /judges no results/,
    );
    expect(
      () => new Guardrails(config, { providers: { toolCall: [decider, decider] } }),
    ).toThrowError(/mounted twice/);
  });
});
