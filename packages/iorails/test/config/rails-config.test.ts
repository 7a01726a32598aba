import { afterEach, describe, expect, it } from "vitest";
import { RailsConfig } from "../../src/config/rails-config.js";
import { main, problemsOf } from "./load.js";

describe("RailsConfig", () => {
  it("fills in every default of an empty configuration", () => {
    const { data } = RailsConfig.fromContent({ yaml: "" });
    expect(data).toEqual({
      models: [],
      input: { flows: [], parallel: false, speculativeGeneration: false },
      output: {
        flows: [],
        parallel: false,
        streaming: { enabled: false, chunkSize: 200, contextSize: 50, streamFirst: true },
      },
      toolOutput: { flows: [], parallel: false, providers: [] },
      toolInput: {
        flows: [],
        parallel: false,
        providers: [],
        schemas: {},
        requireName: true,
        requireAll: false,
        provenance: "optional",
      },
      contentSafetyReasoning: false,
      jailbreakDetection: {
        nimBaseUrl: undefined,
        nimServerEndpoint: "classify",
        apiKey: undefined,
        apiKeyEnvVar: undefined,
      },
      prompts: [],
      promptingMode: "standard",
      tracing: { enabled: false, enableContentCapture: false },
      metrics: { enabled: false },
      colangVersion: "1.0",
      railsKeys: [],
      colangFiles: [],
      importPaths: [],
    });
  });

  it("reads every key that the engine runs", () => {
    const { data } = RailsConfig.fromContent({
      yaml: `
models:
  - type: main
    engine: openai
    parameters: { model_name: m, temperature: 0.5, api_key: k }
  - { type: guard, engine: nim, model: g, api_key_env_var: KEY, mode: chat, cache: {} }
rails:
  input:
    parallel: true
    speculative_generation: true
    flows: ["  content safety check input  $model=guard "]
  output:
    streaming: { enabled: true, chunk_size: 4, context_size: 0, stream_first: false }
  tool_output:
    flows: [tool call validation]
    providers: ["@toolstile/allowlist", { use: ./mine.js, with: { allow: [a] } }]
  tool_input:
    flows: [tool result validation (strict)]
    providers: [{ use: x }]
    schemas: { search: { type: string }, any: true }
    require_name: false
    require_all: true
    provenance: required
  config:
    content_safety: { reasoning: { enabled: true }, multilingual: { enabled: true } }
    jailbreak_detection: { nim_base_url: "https://nim/v1", api_key_env_var: K, server_endpoint: x }
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
          model: "guard",
        },
      ],
    });
    expect(data.output.streaming).toEqual({
      enabled: true,
      chunkSize: 4,
      contextSize: 0,
      streamFirst: false,
    });
    expect(data.toolOutput.providers).toEqual([
      { use: "@toolstile/allowlist", with: undefined },
      { use: "./mine.js", with: { allow: ["a"] } },
    ]);
    expect(data.toolInput).toEqual({
      flows: [
        {
          text: "tool result validation (strict)",
          name: "tool result validation",
          model: undefined,
        },
      ],
      parallel: false,
      providers: [{ use: "x", with: undefined }],
      schemas: { search: { type: "string" }, any: true },
      requireName: false,
      requireAll: true,
      provenance: "required",
    });
    expect(data.contentSafetyReasoning).toBe(true);
    expect(data.jailbreakDetection.nimBaseUrl).toBe("https://nim/v1");
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
    expect(data.railsKeys).toEqual(["input", "output", "tool_output", "tool_input", "config"]);
  });

  it("freezes what it read, to the bottom", () => {
    const { data } = RailsConfig.fromContent({
      config: { models: [{ ...main, parameters: { deep: { list: [{}] } } }] },
    });
    const frozen = (value: unknown): boolean =>
      value === null ||
      typeof value !== "object" ||
      (Object.isFrozen(value) && Object.values(value).every(frozen));
    expect(frozen(data)).toBe(true);
  });

  it("makes the deprecated NIM host and port into the base URL", () => {
    const urlOf = (jailbreak_detection: object) =>
      RailsConfig.fromContent({ config: { rails: { config: { jailbreak_detection } } } }).data
        .jailbreakDetection.nimBaseUrl;
    expect(urlOf({ nim_url: "host" })).toBe("http://host:8000/v1");
    expect(urlOf({ nim_url: "host", nim_port: 9 })).toBe("http://host:9/v1");
  });

  it("reads a key that is there but blank as absent, where it configures no rail", () => {
    expect(problemsOf({ yaml: "models:\nprompts:\nrails: {}\ntracing:\n" })).toEqual([]);
  });

  it("refuses rails that are named and left blank: they would be silently off", () => {
    expect(problemsOf({ yaml: "models: []\nrails:\n" })).toEqual([
      "<yaml>: rails is blank: fill it in, or leave it out (line 2, column 1)",
    ]);
    const yaml = [
      "rails:",
      "  input:",
      "  config:",
      "  output:",
      "    flows:",
      "    #- self check output",
      "  tool_output: {flows: [tool call validation], providers: }",
      "  tool_input:",
      "    schemas:",
      "    provenance:",
    ].join("\n");
    expect(problemsOf({ yaml }).map((problem) => problem.split(" is blank")[0])).toEqual([
      "<yaml>: rails.input",
      "<yaml>: rails.output.flows",
      "<yaml>: rails.config",
      "<yaml>: rails.tool_input.schemas",
      "<yaml>: rails.tool_input.provenance",
      "<yaml>: rails.tool_output.providers",
    ]);
  });

  it("refuses blank rails in one file, whatever another file says of them", () => {
    const config = { rails: { tool_output: { flows: ["tool call validation"] } } };
    expect(problemsOf({ config, yaml: "rails: {tool_output: }" })).toHaveLength(1);
  });

  it.each([
    ["nothing", null],
    ["a text", "models: []"],
    ["Colang that is no text", { colang: 5 }],
    ["YAML that is no text", { yaml: Buffer.from("models: []") }],
    ["a misspelt key", { yml: "models: []" }],
  ])("refuses content that is %s", (_, content) => {
    expect(() => RailsConfig.fromContent(content as object)).toThrow(
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

  it("P8 reads own keys only", () => {
    Object.assign(Object.prototype, {
      flows: ["self check input"],
      rails: { input: { flows: [] } },
      require_name: false,
      parallel: true,
    });
    const { data } = RailsConfig.fromContent({ yaml: "models: []\nrails: {tool_input: {}}" });
    expect(data.input.flows).toEqual([]);
    expect(data.toolInput.requireName).toBe(true);
    expect(data.toolInput.parallel).toBe(false);
  });
});
