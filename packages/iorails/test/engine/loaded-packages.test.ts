import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, it } from "vitest";

const built = new URL("../../dist/index.js", import.meta.url).href;
const model =
  'models: [{type: main, engine: openai, model: m, parameters: {base_url: "http://127.0.0.1:9"}}]';
const large = [
  "ajv",
  "re2js",
  "zod",
  "js-yaml",
  "@huggingface/jinja",
  "@opentelemetry/api",
  "@bufbuild/cel",
];

/** Writes the URL of each module to standard error. */
const hooks = `data:text/javascript,${encodeURIComponent(`
  import { writeSync } from "node:fs";
  export async function load(url, context, next) {
    writeSync(2, url + "\\n");
    return next(url, context);
  }`)}`;

/** The large packages that a fresh process has loaded when a configuration is in use. */
async function loadedWith(yaml: string | undefined, request?: object): Promise<readonly string[]> {
  const make = "const rails = new Guardrails(await RailsConfig.fromContent({ yaml }));";
  const ask = `await rails.check(${JSON.stringify(request)});`;
  const use = `${yaml === undefined ? "" : make}${request === undefined ? "" : ask}`;
  const script = `
    import { createRequire, register } from "node:module";
    register(${JSON.stringify(hooks)});
    const yaml = ${JSON.stringify(yaml)};
    const { Guardrails, RailsConfig } = await import(${JSON.stringify(built)});
    ${use}
    // What was loaded by require() is told by no hook.
    console.error(Object.keys(createRequire("file:///").cache).join("\\n"));`;
  const { stderr } = await promisify(execFile)(
    process.execPath,
    ["--input-type=module", "-e", script],
    { maxBuffer: 1 << 24 },
  );
  return large.filter((name) => stderr.includes(`/node_modules/${name}/`));
}

/** A call of a tool. */
const request = {
  messages: [
    { role: "user", content: "x" },
    {
      role: "assistant",
      content: null,
      tool_calls: [{ id: "c", type: "function", function: { name: "t", arguments: "{}" } }],
    },
  ],
  tools: [{ type: "function", function: { name: "t", parameters: { type: "object" } } }],
};

it.each<[string, string | undefined, readonly string[], object?]>([
  ["none when the package is imported", undefined, []],
  ["a YAML reader for a configuration without rails", model, ["js-yaml"]],
  [
    "no validator for a tool flow that has seen no tool",
    `${model}\nrails: {tool_output: {flows: [tool call validation]}}`,
    ["js-yaml"],
  ],
  [
    "a validator for a tool flow and a call",
    `${model}\nrails: {tool_output: {flows: [tool call validation]}}`,
    ["re2js", "js-yaml"],
    request,
  ],
  [
    "Jinja for a rail that asks a model",
    `${model}\nrails: {input: {flows: [self check input]}}\nprompts: [{task: self_check_input, content: "{{ user_input }}?"}]`,
    ["js-yaml", "@huggingface/jinja"],
  ],
  [
    "none for patterns on a tool",
    `${model}\nrails: {config: {regex_detection: {tool_call: {t: {patterns: [a]}}}}, tool_call: {per_tool: {t: [regex check tool call]}}}`,
    ["js-yaml"],
  ],
  [
    "CEL for expressions on a tool",
    `${model}\nrails: {config: {cel: {tool_call: {t: {expressions: ["args.a > 1"]}}}}, tool_call: {per_tool: {t: [cel check tool call]}}}`,
    ["re2js", "js-yaml", "@bufbuild/cel"],
  ],
  [
    "OpenTelemetry for tracing",
    `${model}\ntracing: {enabled: true}`,
    ["js-yaml", "@opentelemetry/api"],
  ],
])("of the large packages it loads %s", { tags: "long" }, async (_, yaml, packages, asked) => {
  expect(await loadedWith(yaml, asked)).toEqual(packages);
});
