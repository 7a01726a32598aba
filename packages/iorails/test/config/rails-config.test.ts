import { quoted } from "@toolstile/core";
import { afterEach, describe, expect, it } from "vitest";
import { RailsConfig } from "../../src/config/rails-config.js";
import { main, problemsOf } from "./load.js";

const secret = "sk-hunter2";

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

  it("reads a section that is there but empty as absent", () => {
    expect(
      problemsOf({ yaml: "models:\nprompts:\nrails:\n  input:\n  config:\ntracing:\n" }),
    ).toEqual([]);
  });
});

describe("a wrong configuration", () => {
  it.each([
    [
      "a size of nothing",
      "rails: {output: {streaming: {chunk_size: 0}}}",
      "rails.output.streaming.chunk_size must be a whole number from 1 on (line 1, column 30)",
    ],
    [
      "a negative size",
      "rails: {output: {streaming: {context_size: -1}}}",
      "rails.output.streaming.context_size must be a whole number from 0 on (line 1, column 30)",
    ],
    [
      "a flag that is text",
      'rails: {input: {parallel: "yes"}}',
      "rails.input.parallel must be true or false (line 1, column 17)",
    ],
    [
      "flows that are no list",
      "rails: {input: {flows: self check input}}",
      "rails.input.flows must be a list (line 1, column 17)",
    ],
    [
      "a flow that is no text",
      "rails: {input: {flows: [1]}}",
      "rails.input.flows[0] must be the name of a flow (line 1, column 25)",
    ],
    [
      "a section that is no mapping",
      "rails: {input: [x]}",
      "rails.input must be a mapping (line 1, column 9)",
    ],
    ["rails that are no mapping", "rails: [x]", "rails must be a mapping (line 1, column 1)"],
    ["models that are no list", "models: {}", "models must be a list (line 1, column 1)"],
    [
      "a model without an engine",
      "models: [{type: main, model: m}]",
      "models[0].engine is missing (line 1, column 10)",
    ],
    [
      "a model without a type",
      "models: [{engine: openai, model: m}]",
      "models[0].type is missing (line 1, column 10)",
    ],
    [
      "a model without a name",
      "models: [{type: main, engine: openai}]",
      "models[0] must name its model in exactly one of model, parameters.model, parameters.model_name (line 1, column 10)",
    ],
    [
      "a model with a blank name",
      'models: [{type: main, engine: openai, model: " "}]',
      "models[0] must name its model in exactly one of model, parameters.model, parameters.model_name (line 1, column 10)",
    ],
    [
      "a model with two names",
      "models: [{type: main, engine: openai, model: m, parameters: {model: m}}]",
      "models[0] must name its model in exactly one of model, parameters.model, parameters.model_name (line 1, column 10)",
    ],
    [
      "a model type twice",
      "models: [{type: main, engine: openai, model: m}, {type: main, engine: openai, model: n}]",
      "models[1].type repeats the model type 'main' (line 1, column 51)",
    ],
    [
      "a model that takes the service's name",
      "models: [{type: jailbreak_detection, engine: nim, model: m}]\nrails: {config: {jailbreak_detection: {nim_base_url: 'http://x'}}}",
      "models[0].type is 'jailbreak_detection', the name of the configured service (line 1, column 11)",
    ],
    [
      "a base URL of another protocol",
      "rails: {config: {jailbreak_detection: {nim_base_url: 'ftp://x'}}}",
      "rails.config.jailbreak_detection.nim_base_url must be an http:// or https:// URL (line 1, column 40)",
    ],
    [
      "two services",
      "rails: {config: {jailbreak_detection: {nim_base_url: 'http://x', nim_url: y}}}",
      "rails.config.jailbreak_detection must have one of nim_base_url and the deprecated nim_url, and not both (line 1, column 18)",
    ],
    [
      "a NIM host that is a URL",
      "rails: {config: {jailbreak_detection: {nim_url: 'http://x'}}}",
      "rails.config.jailbreak_detection.nim_url must be the name of a host (line 1, column 40)",
    ],
    [
      "a NIM port alone",
      "rails: {config: {jailbreak_detection: {nim_port: 1}}}",
      "rails.config.jailbreak_detection.nim_port says nothing without nim_url: use nim_base_url (line 1, column 40)",
    ],
    [
      "a NIM port out of range",
      "rails: {config: {jailbreak_detection: {nim_url: x, nim_port: 65536}}}",
      "rails.config.jailbreak_detection.nim_port must be a port (line 1, column 52)",
    ],
    [
      "a prompt with neither content nor messages",
      "prompts: [{task: self_check_input}]",
      "prompts[0] must have one of content and messages, and not both (line 1, column 11)",
    ],
    [
      "a prompt with both",
      "prompts: [{task: self_check_input, content: x, messages: [{type: user, content: x}]}]",
      "prompts[0] must have one of content and messages, and not both (line 1, column 11)",
    ],
    [
      "a prompt without a task",
      "prompts: [{content: x}]",
      "prompts[0].task is missing (line 1, column 11)",
    ],
    [
      "a message that is text",
      "prompts: [{task: self_check_input, messages: [x]}]",
      "prompts[0].messages[0] must be a mapping (line 1, column 47)",
    ],
    [
      "a misspelt parser",
      "prompts: [{task: self_check_input, content: x, output_parser: is_content_saef}]",
      "prompts[0].output_parser must be the name of a known parser. Did you mean 'is_content_safe'? (line 1, column 48)",
    ],
    [
      "a prompt of no length",
      "prompts: [{task: self_check_input, content: x, max_length: 0}]",
      "prompts[0].max_length must be a whole number from 1 on (line 1, column 48)",
    ],
    [
      "a Colang version that is a number",
      "colang_version: 1.0",
      "colang_version must be text: put the version in quotes (line 1, column 1)",
    ],
    [
      "a provider without a name",
      "rails: {tool_output: {providers: [{with: {}}]}}",
      "rails.tool_output.providers[0].use is missing (line 1, column 35)",
    ],
    [
      "provider options that are no mapping",
      "rails: {tool_output: {providers: [{use: x, with: 1}]}}",
      "rails.tool_output.providers[0].with must be a mapping (line 1, column 44)",
    ],
    [
      "a schema that is text",
      "rails: {tool_input: {schemas: {'a b': x}}}",
      "rails.tool_input.schemas['a b'] must be a JSON Schema: a mapping, true or false (line 1, column 32)",
    ],
    [
      "a word for provenance",
      "rails: {tool_input: {provenance: maybe}}",
      "rails.tool_input.provenance must be 'required' or 'optional' (line 1, column 22)",
    ],
    [
      "a number that JSON cannot hold",
      "models: [{type: main, engine: openai, model: m, parameters: {x: .inf}}]",
      "models[0].parameters.x is not a value that JSON can hold (line 1, column 62)",
    ],
    ["a list at the top", "[x]", "must hold keys at its top level"],
    [
      "a key twice",
      "models: []\nmodels: []",
      "cannot be read as YAML: a key stands twice in one mapping (line 2, column 1)",
    ],
    [
      "two documents",
      "models: []\n---\nmodels: []",
      "cannot be read as YAML: there is more than one document (line 2, column 1)",
    ],
    [
      "a tag",
      "models: !!python/object x",
      "cannot be read as YAML: tags are not supported (line 1, column 9)",
    ],
    [
      "an alias without an anchor",
      "models: *x",
      "cannot be read as YAML: an alias names no anchor (line 1, column 9)",
    ],
    [
      "a prototype key",
      "rails: {input: {__proto__: {parallel: true}}}",
      "rails.input.__proto__ is not a key that can be used (line 1, column 17)",
    ],
  ])("with %s is an error that says where", (_, yaml, problem) => {
    expect(problemsOf({ yaml })).toEqual([`<yaml>: ${problem}`]);
  });

  it.each([
    ["modles", "modles: []", "the top level has no key 'modles'. Did you mean 'models'?"],
    [
      "tool_ouput",
      "rails: {tool_ouput: {}}",
      "rails has no key 'tool_ouput'. Did you mean 'tool_output'?",
    ],
    ["flow", "rails: {input: {flow: []}}", "rails.input has no key 'flow'. Did you mean 'flows'?"],
    [
      "chunksize",
      "rails: {output: {streaming: {chunksize: 1}}}",
      "rails.output.streaming has no key 'chunksize'. Did you mean 'chunk_size'?",
    ],
    [
      "requires_name",
      "rails: {tool_input: {requires_name: true}}",
      "rails.tool_input has no key 'requires_name'. Did you mean 'require_name'?",
    ],
    [
      "content_saftey",
      "rails: {config: {content_saftey: {}}}",
      "rails.config has no key 'content_saftey'. Did you mean 'content_safety'?",
    ],
    [
      "nim_base_ulr",
      "rails: {config: {jailbreak_detection: {nim_base_ulr: x}}}",
      "rails.config.jailbreak_detection has no key 'nim_base_ulr'. Did you mean 'nim_base_url'?",
    ],
    [
      "enginee",
      "models: [{type: main, engine: nim, model: m, enginee: x}]",
      "models[0] has no key 'enginee'. Did you mean 'engine'?",
    ],
    [
      "max_token",
      "prompts: [{task: self_check_input, content: x, max_token: 1}]",
      "prompts[0] has no key 'max_token'. Did you mean 'max_tokens'?",
    ],
    [
      "uses",
      "rails: {tool_input: {providers: [{use: x, uses: y}]}}",
      "rails.tool_input.providers[0] has no key 'uses'. Did you mean 'use'?",
    ],
    ["enable", "metrics: {enable: true}", "metrics has no key 'enable'. Did you mean 'enabled'?"],
    [
      "<<",
      "rails: {input: {<<: {parallel: true}}}",
      "rails.input has no key '<<'. It has: flows, parallel, speculative_generation.",
    ],
  ])("P5 names the unknown key %s and the nearest right one", (key, yaml, problem) => {
    const column = yaml.indexOf(key) + 1;
    expect(problemsOf({ yaml })).toEqual([`<yaml>: ${problem} (line 1, column ${column})`]);
  });

  it("tells of all problems at once, one a line", () => {
    const yaml = "modles: []\nrails:\n  input:\n    parallel: 1\n    flows: [self chek input]\n";
    expect(problemsOf({ yaml })).toEqual([
      "<yaml>: the top level has no key 'modles'. Did you mean 'models'? (line 1, column 1)",
      "<yaml>: rails.input.parallel must be true or false (line 4, column 5)",
      "<yaml>: rails.input.flows[0] names an unknown flow 'self chek input'. Did you mean 'self check input'? (line 5, column 13)",
    ]);
  });

  it("tells of fifty problems and counts the rest", () => {
    const config = Object.fromEntries(Array.from({ length: 60 }, (_, index) => [`k${index}`, 1]));
    const problems = problemsOf({ config });
    expect(problems).toHaveLength(51);
    expect(problems.at(-1)).toBe("and 10 more");
  });

  it("P2 quotes no value of the file", () => {
    const values = [secret, [secret], { [`x`]: secret }];
    const sections = [
      (value: unknown) => ({ models: value }),
      (value: unknown) => ({ models: [value] }),
      (value: unknown) => ({
        models: [{ type: 1, engine: value, model: value, parameters: value }],
      }),
      (value: unknown) => ({ rails: { input: value } }),
      (value: unknown) => ({ rails: { input: { parallel: value } } }),
      (value: unknown) => ({ rails: { tool_input: { provenance: value, schemas: value } } }),
      (value: unknown) => ({ rails: { config: { jailbreak_detection: { nim_base_url: value } } } }),
      (value: unknown) => ({ prompts: [{ task: "self_check_input", output_parser: value }] }),
      (value: unknown) => ({ tracing: value, metrics: { enabled: value } }),
    ];
    for (const value of values) {
      for (const section of sections) {
        const problems = problemsOf({ config: section(value) });
        expect(problems).not.toEqual([]);
        expect(problems.join("\n")).not.toContain(secret);
      }
    }
    for (const yaml of [
      `a: *${secret}`,
      `a: !${secret} x`,
      `a: "${secret}`,
      `${secret}: 1\n ${secret}: 2`,
    ]) {
      const problems = problemsOf({ yaml });
      expect(problems).not.toEqual([]);
      if (!yaml.startsWith(secret)) expect(problems.join("\n")).not.toContain(secret);
    }
  });

  it.each([
    ["a function", () => 1],
    ["a date", new Date(0)],
    ["a big integer", 1n],
    ["a Map", new Map()],
  ])("refuses %s in an object", (_, value) => {
    expect(problemsOf({ config: { custom_data: value } })).toEqual([
      "<config>: custom_data is not a value that JSON can hold",
    ]);
  });

  it("refuses a cycle, and nesting that no configuration has", () => {
    const cycle: Record<string, unknown> = {};
    cycle["custom_data"] = cycle;
    expect(problemsOf({ config: cycle })[0]).toContain("is nested deeper than 64 levels");
    expect(problemsOf({ yaml: "[".repeat(20_000) }).join()).toContain("it is nested too deeply");
  });

  it("refuses aliases that multiply", () => {
    const lines = ["a: &a0 [x,x,x,x,x,x,x,x,x]"];
    for (let level = 1; level < 9; level++) {
      lines.push(`k${level}: &a${level} [${`*a${level - 1},`.repeat(9)}]`);
    }
    expect(problemsOf({ yaml: lines.join("\n") })).toEqual([
      "<yaml>: cannot be read as YAML: too many aliases or nested too deeply",
    ]);
  });

  it("reads anchors and aliases, and places a problem at the anchor", () => {
    const yaml = "rails:\n  input: &x\n    parallel: 1\n  tool_output: *x\n";
    expect(problemsOf({ yaml })).toEqual([
      "<yaml>: rails.input.parallel must be true or false (line 3, column 5)",
      "<yaml>: rails.tool_output.parallel must be true or false (line 3, column 5)",
    ]);
  });

  it("shows the names of keys only escaped and cut", () => {
    const key = `x'\n${"y".repeat(100)}`;
    expect(problemsOf({ config: { [key]: 1 } })).toEqual([
      `<config>: the top level has no key ${quoted(key)}.`,
    ]);
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

describe("a configuration that is made to be large", () => {
  it("P18 is refused for its aliases before they are looked up", () => {
    const yaml = `a: &a x\ncustom_data: [${"*a,".repeat(20_000)}]\n`;
    expect(() => RailsConfig.fromContent({ yaml })).toThrowError(/too many aliases/);
  });

  it("P18 is refused for its size, or told its first problems and the number of the rest", () => {
    const keys = (count: number): string =>
      Array.from({ length: count }, (_, index) => `unknown_key_${index}: 1\n`).join("");
    expect(() => RailsConfig.fromContent({ yaml: keys(20_000) })).toThrowError(
      /more than 20000 values and keys/,
    );
    expect(() => RailsConfig.fromContent({ yaml: keys(2_000) })).toThrowError(/and 1950 more/);
  });
});
