import { afterEach, describe, expect, it } from "vitest";
import { nimBaseUrl } from "../../src/config/sections/jailbreak-detection.js";
import { Guardrails } from "../../src/engine/guardrails.js";
import { RailsConfig } from "../../src/engine/rails-config.js";
import { main, problemsOf } from "./load.js";

describe("RailsConfig", () => {
  it("fills in every default of an empty configuration", async () => {
    const { data } = await RailsConfig.fromContent({ yaml: "" });
    expect(data).toEqual({
      models: [],
      input: { flows: [], parallel: false, speculativeGeneration: false },
      output: {
        flows: [],
        parallel: false,
        streaming: { enabled: false, chunkSize: 200, contextSize: 50, streamFirst: true },
      },
      toolCall: {
        name: "tool_call",
        perTool: {},
        flows: [],
        parallel: false,
        providers: [],
      },
      toolResult: {
        name: "tool_result",
        perTool: {},
        flows: [],
        parallel: false,
        providers: [],
        schemas: {},
        requireName: false,
        requireAll: false,
        provenance: "optional",
      },
      config: expect.objectContaining({
        content_safety: {
          reasoning: { enabled: false },
          multilingual: { enabled: false, refusal_messages: null },
        },
      }),
      configKeys: [],
      caches: {},
      prompts: [],
      promptingMode: "standard",
      generalInstructions: undefined,
      lowestTemperature: 0.001,
      railsExceptions: false,
      tracing: { enabled: false, enableContentCapture: false },
      metrics: { enabled: false },
      colangVersion: "1.0",
      railsKeys: [],
      colangFiles: [],
      importPaths: [],
    });
  });

  it("reads every key that the engine runs", async () => {
    const { data } = await RailsConfig.fromContent({
      yaml: `
models:
  - type: main
    engine: openai
    parameters: { model_name: m, temperature: 0.5, api_key: k }
    cache: { enabled: true, stats: { enabled: true, log_interval: 5 } }
  - { type: guard, engine: nim, model: g, api_key_env_var: KEY, mode: chat, cache: { enabled: true, maxsize: 9 } }
rails:
  input:
    parallel: true
    speculative_generation: true
    flows: ["  content safety check input  $model=guard "]
  output:
    streaming: { enabled: true, chunk_size: 4, context_size: 0, stream_first: false }
  tool_call:
    flows: [tool call validation]
    providers: ["@toolstile/allowlist", { use: ./mine.js, with: { allow: [a] } }]
  tool_result:
    flows: [" tool result validation"]
    providers: [{ use: x }]
    schemas: { search: { type: string }, any: true }
    require_name: false
    require_all: true
    provenance: required
  config:
    content_safety: { reasoning: { enabled: true }, multilingual: { enabled: true } }
    jailbreak_detection: { nim_base_url: "https://nim/v1", api_key_env_var: K, server_endpoint: "http://x" }
    sensitive_data_detection: { input: {} }
prompts:
  - task: content_safety_check_input $model=guard
    messages: [{ type: user, content: "{{ user_input }}" }]
    output_parser: nemoguard_parse_prompt_safety
    max_tokens: 50
    stop: [x]
    max_length: 10
    models: [nim]
    mode: compact
prompting_mode: compact
tracing: { enabled: true, enable_content_capture: true, adapters: [{ name: OpenTelemetry }] }
metrics: { enabled: true }
colang_version: "1.0"
instructions: [{ type: general, content: x }]
custom_data: { anything: 1 }
`,
    });
    expect(data.models).toEqual([
      {
        type: "main",
        engine: "openai",
        model: "m",
        apiKeyEnvVar: undefined,
        parameters: { model_name: "m", temperature: 0.5, api_key: "k" },
      },
      { type: "guard", engine: "nim", model: "g", apiKeyEnvVar: "KEY", parameters: {} },
    ]);
    expect(data.input).toEqual({
      parallel: true,
      speculativeGeneration: true,
      flows: [
        {
          text: "  content safety check input  $model=guard ",
          name: "content safety check input",
          parameters: { model: "guard" },
        },
      ],
    });
    expect(data.output.streaming).toEqual({
      enabled: true,
      chunkSize: 4,
      contextSize: 0,
      streamFirst: false,
    });
    expect(data.toolCall.providers).toEqual([
      { use: "@toolstile/allowlist", with: undefined },
      { use: "./mine.js", with: { allow: ["a"] } },
    ]);
    expect(data.toolResult).toEqual({
      name: "tool_result",
      perTool: {},
      flows: [
        {
          text: " tool result validation",
          name: "tool result validation",
          parameters: {},
        },
      ],
      parallel: false,
      providers: [{ use: "x", with: undefined }],
      schemas: { search: { type: "string" }, any: true },
      requireName: false,
      requireAll: true,
      provenance: "required",
    });
    expect(data.config.content_safety.reasoning.enabled).toBe(true);
    expect(nimBaseUrl(data.config.jailbreak_detection)).toBe("https://nim/v1");
    expect(data.configKeys).toContain("sensitive_data_detection.input");
    expect(data.caches).toEqual({ guard: 9 });
    expect(data.generalInstructions).toBe("x");
    expect(data.prompts).toEqual([
      {
        task: "content_safety_check_input $model=guard",
        content: undefined,
        messages: [{ type: "user", content: "{{ user_input }}" }],
        outputParser: "nemoguard_parse_prompt_safety",
        maxTokens: 50,
        stop: ["x"],
        maxLength: 10,
        models: ["nim"],
        mode: "compact",
      },
    ]);
    expect(data.tracing).toEqual({ enabled: true, enableContentCapture: true });
    expect(data.metrics).toEqual({ enabled: true });
    expect(data.railsKeys).toEqual(["input", "output", "tool_call", "tool_result", "config"]);
  });

  it("freezes what it read, to the bottom", async () => {
    const { data } = await RailsConfig.fromContent({
      config: { models: [{ ...main, parameters: { deep: { list: [{}] } } }] },
    });
    const frozen = (value: unknown): boolean =>
      value === null ||
      typeof value !== "object" ||
      (Object.isFrozen(value) && Object.values(value).every(frozen));
    expect(frozen(data)).toBe(true);
  });

  it("makes the deprecated NIM host and port into the base URL", async () => {
    const urlOf = async (jailbreak_detection: object) => {
      const config = { rails: { config: { jailbreak_detection } } };
      const { data } = await RailsConfig.fromContent({ config });
      return nimBaseUrl(data.config.jailbreak_detection);
    };
    expect(await urlOf({ nim_url: "host" })).toBe("http://host:8000/v1");
    expect(await urlOf({ nim_url: "host", nim_port: 9 })).toBe("http://host:9/v1");
  });

  it("reads a key that is there but blank as absent, where it configures no rail", async () => {
    expect(await problemsOf({ yaml: "models:\nprompts:\nrails: {}\ntracing:\n" })).toEqual([]);
  });

  it("refuses rails that are named and left blank: they would be silently off", async () => {
    expect(await problemsOf({ yaml: "models: []\nrails:\n" })).toEqual([
      "<yaml>: rails is blank: fill it in, or leave it out (line 2, column 1)",
    ]);
    const yaml = [
      "rails:",
      "  input:",
      "  config:",
      "  output:",
      "    flows:",
      "    #- self check output",
      "  tool_call: {flows: [tool call validation], providers: }",
      "  tool_result:",
      "    schemas:",
      "    provenance:",
    ].join("\n");
    expect((await problemsOf({ yaml })).map((problem) => problem.split(" is blank")[0])).toEqual([
      "<yaml>: rails.input",
      "<yaml>: rails.config",
      "<yaml>: rails.output.flows",
      "<yaml>: rails.tool_call.providers",
      "<yaml>: rails.tool_result.schemas",
      "<yaml>: rails.tool_result.provenance",
    ]);
  });

  it("refuses blank rails in one file, whatever another file says of them", async () => {
    const config = { rails: { tool_call: { flows: ["tool call validation"] } } };
    expect(await problemsOf({ config, yaml: "rails: {tool_call: }" })).toHaveLength(1);
  });

  it.each([
    ["nothing", null],
    ["a text", "models: []"],
    ["Colang that is no text", { colang: 5 }],
    ["YAML that is no text", { yaml: Buffer.from("models: []") }],
    ["a misspelt key", { yml: "models: []" }],
  ])("refuses content that is %s", async (_, content) => {
    await expect(RailsConfig.fromContent(content as object)).rejects.toThrow(
      expect.objectContaining({ code: expect.stringMatching(/^ERR_(INVALID|UNKNOWN)_OPTION$/) }),
    );
  });

  it.each([[5], [undefined], [""], [{}]])("refuses a path that is %j", async (path) => {
    await expect(RailsConfig.fromPath(path as string)).rejects.toMatchObject({
      code: "ERR_INVALID_OPTION",
    });
  });
});

describe("with a polluted Object.prototype", () => {
  afterEach(() => {
    for (const key of ["flows", "rails", "require_name", "parallel"]) {
      Reflect.deleteProperty(Object.prototype, key);
    }
  });

  it("P8 reads own keys only", async () => {
    Object.assign(Object.prototype, {
      flows: ["self check input"],
      rails: { input: { flows: [] } },
      require_name: true,
      parallel: true,
    });
    const { data } = await RailsConfig.fromContent({
      yaml: "models: []\nrails: {tool_result: {}}",
    });
    expect(data.input.flows).toEqual([]);
    expect(data.toolResult.requireName).toBe(false);
    expect(data.toolResult.parallel).toBe(false);
  });

  it("has no model of type embeddings, which no rail asks", async () => {
    const models = [
      { type: "main", engine: "openai", model: "m" },
      { type: "embeddings", engine: "FastEmbed", model: "all-MiniLM-L6-v2" },
    ];
    const config = await RailsConfig.fromContent({ config: { models } });
    expect(config.data.models.map(({ type }) => type)).toEqual(["main"]);
    await using rails = new Guardrails(config, { env: {} });
    expect(rails).toBeDefined();
  });
});
