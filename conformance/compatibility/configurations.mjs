// Configurations that have one flow or one key of NeMo Guardrails, with what it needs beside it.

const local = "http://localhost:1";
const main = { type: "main", engine: "openai", model: "m" };
const guard = { type: "guard", engine: "openai", model: "g" };
const tool = { type: "function", function: { name: "t", parameters: { type: "object" } } };

/** Sections that flows need to be there. */
function sections() {
  return {
    jailbreak_detection: { nim_base_url: local },
    regex_detection: {
      input: { patterns: ["a"] },
      output: { patterns: ["a"] },
      tool_call: { t: { patterns: ["a"] } },
      tool_result: { t: { patterns: ["a"] } },
    },
    cel: {
      tool_call: { t: { expressions: ["true"] } },
      tool_result: { t: { expressions: ["true"] } },
    },
    injection_detection: { injections: ["xss"] },
    gliner: { input: { entities: ["email"] }, output: { entities: ["email"] } },
    sensitive_data_detection: {
      input: { entities: ["EMAIL_ADDRESS"] },
      output: { entities: ["EMAIL_ADDRESS"] },
    },
    hf_classifier: {
      c: { engine: "vllm", model: "m", base_url: local, blocked_labels: ["toxic"] },
    },
  };
}

const prompts = [
  "content_safety_check_input $model=guard",
  "content_safety_check_output $model=guard",
  "topic_safety_check_input $model=guard",
  "llama_guard_check_input",
  "llama_guard_check_output",
  "self_check_input",
  "self_check_output",
  "self_check_facts",
  "self_check_hallucination",
  "tool_safety_check_output $model=guard $variant=v",
  "tool_safety_check_input $model=guard $variant=v",
].map((task) => ({ task, content: "?", output_parser: "is_content_safe" }));

/** Rails that have one flow, with all that any flow needs. @param {Flow} row */
export function withFlow({ flow, section, perTool, with: parameters }) {
  const flows = [parameters === undefined ? flow : `${flow} ${parameters}`];
  const own = perTool === true ? { per_tool: { t: flows } } : { flows };
  const streaming = section === "output" ? { streaming: { enabled: false } } : {};
  return {
    models: [main, guard, { ...guard, type: "llama_guard" }],
    rails: { [section]: { ...own, ...streaming }, config: sections() },
    prompts,
  };
}

/** A configuration that has rails of every kind. */
export function withEachSection() {
  return {
    models: [main],
    rails: {
      input: { flows: ["regex check input"] },
      output: { flows: ["regex check output"] },
      tool_call: { flows: ["tool call validation"] },
      tool_result: { flows: ["tool result validation"] },
      config: sections(),
    },
  };
}

/** A configuration that has one key with this value. @param {string} key @param {unknown} value */
export function withKey(key, value) {
  const config = baseOf(key);
  put(config, key, value);
  return config;
}

/** Sets a key of a configuration, and makes what it stands in. @param {object} config @param {string} key @param {unknown} value */
export function put(config, key, value) {
  const path = key.split(".").flatMap((part) => {
    const name = part.replace("[]", "");
    return part.endsWith("[]") ? [name, 0] : [name];
  });
  const last = path.pop() ?? key;
  let at = /** @type {any} */ (config);
  for (const [index, name] of path.entries()) {
    const own = name === "*" ? (Object.keys(at)[0] ?? name) : name;
    at[own] ??= typeof path[index + 1] === "number" ? [] : path[index + 1] === "*" ? { t: {} } : {};
    at = at[own];
  }
  at[last] = value;
}

/** What a key cannot be without. @param {string} key */
function baseOf(key) {
  const config = { models: [{ ...main, parameters: { base_url: local, tools: [tool] } }] };
  if (key.startsWith("rails.config.hf_classifier")) {
    const { c } = sections().hf_classifier;
    // A key travels only by https.
    const hf_classifier = { c: { ...c, base_url: "https://localhost:1" } };
    return { ...config, rails: { config: { hf_classifier } } };
  }
  if (key === "rails.config.jailbreak_detection.nim_port") {
    return { ...config, rails: { config: { jailbreak_detection: { nim_url: "localhost" } } } };
  }
  if (/^rails\.(input|output|tool_\w+)\./.test(key)) {
    return { ...config, rails: { config: sections() } };
  }
  if (key.startsWith("hooks_server.")) {
    return { hooks_server: { blocked_tools: ["b"], allow_unlisted_tools: false } };
  }
  if (!key.startsWith("prompts[]")) return config;
  const asked = { type: "user", content: "?" };
  const content = key.includes(".messages") ? { messages: [asked] } : { content: "?" };
  return {
    ...config,
    rails: { input: { flows: ["self check input"] } },
    prompts: [{ task: "self_check_input", ...content }],
  };
}

/** A value that a key cannot have. @param {unknown} value one that it can */
export function unlike(value) {
  if (typeof value === "number" || typeof value === "boolean") return "nosuchvalue";
  if (typeof value === "string") return 7;
  return Array.isArray(value) ? { nosuchkey: 1 } : ["nosuchvalue"];
}

/** The path of a key as messages have it. @param {string} key */
export function placeOf(key) {
  return key.replaceAll("[]", "[0]").split(".*")[0] ?? key;
}

/**
 * @typedef {object} Flow
 * @property {string} flow
 * @property {string} section
 * @property {string} since the first release of 0.23, 0.24 and 0.25 that has it
 * @property {string | null} iorails the first of them whose IORails runs it
 * @property {string} [vendor]
 * @property {boolean} [perTool]
 * @property {string} [with] the parameters that it needs
 * @property {string} [note]
 */
