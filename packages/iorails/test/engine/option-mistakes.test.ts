import { describe, expect, it } from "vitest";
import { Guardrails, type GuardrailsOptions, RailsConfig } from "../../src/index.js";
import { engine, question, toolRails } from "./engine.js";

const models = [
  { type: "main", engine: "x", model: "m", parameters: { base_url: "http://127.0.0.1:9" } },
];
const config = await RailsConfig.fromContent({ config: { models } });
const refused = expect.objectContaining({
  code: expect.stringMatching(/^ERR_(INVALID|UNKNOWN)_OPTION$/),
});

describe("options of Guardrails", () => {
  it.each<[string, object]>([
    ["a wait that no timer has", { closeWithinMs: 2 ** 31 }],
    ["a wait of no length", { closeWithinMs: 0 }],
    ["receipts that sign nothing", { receipts: { verifyCall: () => true } }],
    ["receipts in place of what makes them", { receipts: () => ({}) }],
    ["providers in a list", { providers: [] }],
    ["providers under a misspelt name", { providers: { tool_output: [] } }],
    ["a factory that was not called", { providers: { toolCall: [() => ({})] } }],
    ["one guard in place of a list", { providers: { toolCall: { name: "a" } } }],
    ["no list of guards", { providers: { toolResult: null } }],
    ["a fetch that is none", { fetch: "fetch" }],
    ["options in a map", new Map([["requireIorails", true]])],
  ])("P5 refuse %s", (_, options) => {
    expect(() => new Guardrails(config, options as GuardrailsOptions)).toThrowError(refused);
  });

  it.each(["toolOutput", "toolInput"])("P5 names what there is in place of %s", (name) => {
    const options = { providers: { [name]: [] } } as GuardrailsOptions;
    expect(() => new Guardrails(config, options)).toThrow("It takes: toolCall, toolResult.");
  });

  it.each<[string, unknown]>([
    ["nothing", undefined],
    ["an object that looks like one", {}],
    ["a promise of one", Promise.resolve(config)],
  ])("P5 refuse a configuration that is %s", (_, wrong) => {
    expect(() => new Guardrails(wrong as RailsConfig)).toThrowError(refused);
  });

  it.each<[string, unknown]>([
    ["nothing", undefined],
    ["a promise of an engine", Promise.resolve({})],
    ["what only answers", { generate: () => {} }],
  ])("P5 refuse a fallback that gives %s", async (_, engine) => {
    const foreign = await RailsConfig.fromContent({ config: { models, rails: { dialog: {} } } });
    const fallback = (() => engine) as unknown as GuardrailsOptions["fallback"];
    expect(() => new Guardrails(foreign, { env: {}, fallback })).toThrowError(refused);
  });

  it.each([5, "tools", { a: 1 }, null])("P5 refuse configured tools that are %j", async (tools) => {
    const wrong = [{ ...models[0], parameters: { ...models[0]?.parameters, tools } }];
    await expect(RailsConfig.fromContent({ config: { models: wrong } })).rejects.toThrowError(
      /models\[0\]\.parameters\.tools must be a list of tools/,
    );
  });
});

describe("a request", () => {
  it("P5 that has both messages and a prompt is refused: one of them would be dropped", async () => {
    const { rails } = await engine(toolRails, []);
    const request = { messages: [question], prompt: "Or this?" };
    await expect(rails.generate(request as never)).rejects.toMatchObject({
      code: "ERR_INVALID_OPTION",
    });
  });

  const cycle: Record<string, unknown> = { type: "function" };
  cycle["function"] = cycle;
  it.each<[string, unknown]>([
    ["a big number", 1n],
    ["a function", () => 1],
    ["a cycle", cycle],
  ])("that has %s among its tools is refused, with its place", async (_, tool) => {
    const { rails, server } = await engine(toolRails, []);
    const options = { llm_params: { tools: [{ type: "web_search" }, tool] } };
    const refusal = { code: "ERR_INVALID_OPTION", message: expect.stringContaining("tools[1]") };
    await expect(rails.generate({ messages: [question], options })).rejects.toMatchObject(refusal);
    await expect(
      rails.check({ messages: [question], tools: options.llm_params.tools }),
    ).rejects.toMatchObject(refusal);
    expect(server.requests).toEqual([]);
  });
});
