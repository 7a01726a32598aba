import { describe, expect, it } from "vitest";
import { configSections, otherSections } from "../../src/config/sections/table.js";
import { RailsConfig } from "../../src/engine/rails-config.js";
import { problemsOf } from "./load.js";

async function read(config: object) {
  return (await RailsConfig.fromContent({ config: { rails: { config } } })).data.config;
}

describe("rails.config", () => {
  it.each(otherSections)("may have the section %s, of which nothing is read", async (key) => {
    const yaml = `rails: {config: {${key}: {any: [thing]}}}`;
    expect(await problemsOf({ yaml })).toEqual([]);
  });

  it("P5 refuses a section that is none, with its place and the nearest name", async () => {
    expect(await problemsOf({ yaml: "rails: {config: {regex_detecton: {}}}" })).toEqual([
      "<yaml>: rails.config has no key 'regex_detecton'. Did you mean 'regex_detection'? (line 1, column 18)",
    ]);
    expect(await problemsOf({ yaml: "rails: {config: {nosuch: {}}}" })).toEqual([
      "<yaml>: rails.config has no key 'nosuch'. (line 1, column 18)",
    ]);
  });

  it.each(Object.keys(configSections).filter((key) => !key.endsWith("_classifier")))(
    "P5 refuses a key that the section %s does not have",
    async (key) => {
      const [problem] = await problemsOf({ yaml: `rails: {config: {${key}: {nosuchkey: 1}}}` });
      expect(problem).toContain(`rails.config.${key} has no key 'nosuchkey'. It has: `);
    },
  );

  it("P5 names a misspelt key of a member, with the nearest right one", async () => {
    const yaml = "rails: {config: {regex_detection: {input: {pattern: [a]}}}}";
    expect(await problemsOf({ yaml })).toEqual([
      "<yaml>: rails.config.regex_detection.input has no key 'pattern'. Did you mean 'patterns'? (line 1, column 44)",
    ]);
  });

  it("has the defaults of sections that are not there", async () => {
    const config = await read({});
    expect(config.regex_detection).toEqual({
      input: { patterns: [], case_insensitive: false },
      output: { patterns: [], case_insensitive: false },
      retrieval: { patterns: [], case_insensitive: false },
      tool_call: {},
      tool_result: {},
    });
    expect(config.injection_detection).toEqual({
      injections: [],
      action: "reject",
      yara_path: "",
      yara_rules: {},
    });
    expect(config.context_bloat_detection).toEqual({
      max_chars: 5000,
      min_chars: 50,
      min_entropy: 3.5,
      max_repetition_ratio: 0.4,
      ngram_size: 3,
      max_run_ratio: 0.1,
      action: "reject",
    });
    expect(config.sensitive_data_detection.input).toEqual({
      entities: [],
      mask_token: "*",
      score_threshold: 0.2,
    });
    expect(config.language_detector.fail_open).toBe(false);
    expect(config.gliner.server_endpoint).toBe("http://localhost:8000/v1/chat/completions");
    expect(config.cel).toEqual({ tool_call: {}, tool_result: {} });
    expect(config.hf_classifier).toEqual({});
  });

  it("has what is written, beside the defaults of what is not", async () => {
    const config = await read({
      context_bloat_detection: { max_chars: 40, action: "truncate" },
      hf_classifier: { tox: { engine: "vllm", model: "t", base_url: "http://127.0.0.1:1" } },
    });
    expect(config.context_bloat_detection).toMatchObject({ max_chars: 40, min_chars: 50 });
    expect(config.hf_classifier["tox"]).toMatchObject({ threshold: 0.5, blocked_labels: [] });
  });

  it.each([
    ["regex_detection", { input: { patterns: [""] } }, "input.patterns[0] must be text"],
    ["regex_detection", { tool_call: { x: { patterns: "a" } } }, "tool_call.x.patterns must be a"],
    ["cel", { tool_call: { x: { expressions: [] } } }, "tool_call.x.expressions must not be empty"],
    ["cel", { tool_call: { x: {} } }, "tool_call.x.expressions is missing"],
    ["injection_detection", { action: "omitt" }, "action must be 'reject' or 'omit'"],
    ["context_bloat_detection", { max_chars: 0 }, "max_chars must be a whole number from 1 on"],
    ["context_bloat_detection", { min_entropy: 9 }, "min_entropy must be a number from 0 to 8"],
    ["context_bloat_detection", { max_run_ratio: "0.1" }, "max_run_ratio must be a number from"],
    ["gliner", { overlap: 400 }, "overlap must be less than chunk_length"],
    ["gliner", { server_endpoint: "localhost" }, "server_endpoint must be an http:// or https://"],
    [
      "language_detector",
      { allowed_languages: ["en"], blocked_languages: ["de"] },
      " must have one of allowed_languages and blocked_languages",
    ],
    ["hf_classifier", { tox: { engine: "vllm", model: "t" } }, "tox must have a base_url"],
    [
      "hf_classifier",
      { tox: { engine: "vllm", model: "t", base_url: "http://x", api_key_env_var: "KEY" } },
      "tox.base_url must be an https:// URL",
    ],
    ["hf_classifier", { tox: { engine: "vlm", model: "t" } }, "tox.engine must be 'local' or"],
    ["http_classifier", { c: { url: "http://x", request: {} } }, "c.verdict is missing"],
    [
      "http_classifier",
      {
        c: { url: "http://x", request: { a: "{text}" }, verdict: { pointer: "a", block_from: 1 } },
      },
      "c.verdict.pointer must be a JSON Pointer",
    ],
    ["jailbreak_detection", { server_endpoint: "x" }, "server_endpoint must be an http:// or"],
  ])("refuses a wrong value in %s: %j", async (key, section, problem) => {
    const problems = await problemsOf({ config: { rails: { config: { [key]: section } } } });
    expect(problems).toHaveLength(1);
    const path = problem.startsWith(" ") ? key : `${key}.`;
    expect(problems[0]).toContain(`rails.config.${path}${problem}`);
  });

  it.each([
    [{ request: { a: "text" } }, "c.request must have the text {text} somewhere"],
    [{ api_key_env_var: "KEY" }, "c.url must be an https:// URL"],
    [{ verdict: { pointer: "/a", block: [true] } }, "c.verdict must have both block and allow"],
    [{ verdict: { pointer: "/a", block: [1], allow: [0], block_from: 1 } }, "c.verdict must have"],
    [
      { verdict: { pointer: "/a", block: [1], allow: [0, 1] } },
      "c.verdict must not have a value in",
    ],
  ])("refuses a classifier of a vendor's with %j", async (wrong, problem) => {
    const verdict = { pointer: "/a", block_from: 1 };
    const c = { url: "http://x", request: { a: "{text}" }, verdict, ...wrong };
    const config = { rails: { config: { http_classifier: { c } } } };
    expect((await problemsOf({ config })).join()).toContain(
      `rails.config.http_classifier.${problem}`,
    );
  });

  it.each(["regex_detection", "cel"])("reads the older names in %s as the newer", async (key) => {
    const tool = { run: { patterns: ["a"] } };
    const section = key === "cel" ? { run: { expressions: ["true"] } } : tool;
    const old = await read({ [key]: { tool_output: section, tool_input: section } });
    const now = await read({ [key]: { tool_call: section, tool_result: section } });
    expect(old).toEqual(now);
  });

  it("refuses both names of one, and tells of a fault at the name that is written", async () => {
    const both = "rails: {config: {cel: {tool_output: {}, tool_call: {}}}}";
    expect(await problemsOf({ yaml: both })).toEqual([
      "<yaml>: rails.config.cel has both 'tool_output' and 'tool_call', which are two names of one: one of the two must go (line 1, column 41)",
    ]);
    const wrong = "rails: {config: {cel: {tool_input: {x: {expressions: 1}}}}}";
    expect(await problemsOf({ yaml: wrong })).toEqual([
      "<yaml>: rails.config.cel.tool_input.x.expressions must be a list (line 1, column 41)",
    ]);
  });

  it("has own members only: a tool may have the name of one of Object.prototype", async () => {
    const { regex_detection } = await read({ regex_detection: { tool_call: { x: {} } } });
    expect(Object.hasOwn(regex_detection.tool_call, "constructor")).toBe(false);
    expect(Object.isFrozen(regex_detection.tool_call)).toBe(true);
  });
});
