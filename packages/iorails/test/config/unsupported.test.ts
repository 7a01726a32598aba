import { describe, expect, it } from "vitest";
import { RailsConfig, unsupportedReason } from "../../src/engine/rails-config.js";
import { withFlows } from "./load.js";

const other = { input: ["clavata check input"], output: ["b (x)", "a", "b"] };

/** Everything that is for the other engine, the first condition first. */
const conditions: readonly (readonly [
  reason: string,
  add: (content: { config: Record<string, unknown>; colang?: string }) => void,
])[] = [
  [
    "IORails supports Colang 1.0 only; config uses Colang 2.x",
    ({ config }) => {
      config["colang_version"] = "2.x";
    },
  ],
  [
    "config has Colang files, which IORails would ignore: <colang>",
    (content) => {
      content.colang = "define flow x\n";
    },
  ],
  [
    "config has import_paths, which IORails would ignore",
    ({ config }) => {
      config["import_paths"] = ["elsewhere"];
    },
  ],
  [
    "config has rails outside the IORails-supported set: ['actions', 'dialog', 'retrieval']",
    ({ config }) => {
      Object.assign(config["rails"] as object, { retrieval: null, dialog: {}, actions: {} });
    },
  ],
  [
    "config has unsupported input flows: ['clavata check input']",
    ({ config }) => {
      Object.assign(config["rails"] as object, { input: { flows: other.input } });
    },
  ],
  [
    "config has unsupported output flows: ['a', 'b']",
    ({ config }) => {
      Object.assign(config["rails"] as object, { output: { flows: other.output } });
    },
  ],
];

describe("unsupportedReason", () => {
  it("has nothing to say of a configuration for this engine", async () => {
    const config = withFlows({ tool_call: ["tool call validation"] });
    expect(unsupportedReason(await RailsConfig.fromContent({ config }))).toBeUndefined();
  });

  it.each(conditions)("says: %s", async (reason, add) => {
    const content = { config: withFlows({}) };
    add(content);
    expect(unsupportedReason(await RailsConfig.fromContent(content))).toBe(reason);
  });

  it("says the first that holds, in NeMo's order", async () => {
    for (const [index, [reason]] of conditions.entries()) {
      const content = { config: withFlows({}) };
      for (const [, add] of conditions.slice(index)) add(content);
      expect(unsupportedReason(await RailsConfig.fromContent(content))).toBe(reason);
    }
  });

  it.each([
    "check blocked terms",
    "jailbreak detection heuristics",
    "autoalign check input",
    "clavata check input",
    "trend ai guard input",
    "activefence moderation on input",
    "user safety",
    "pangea ai guard input",
    "ai defense inspect prompt",
    "fiddler user safety",
    "crowdstrike aidr guard input",
    "guardrailsai check input",
    "detect pii on input",
    "protect prompt",
  ])("loads the library's flow %j as the other engine's", async (flow) => {
    const config = withFlows({ input: [flow] });
    expect(unsupportedReason(await RailsConfig.fromContent({ config }))).toBe(
      `config has unsupported input flows: ['${flow}']`,
    );
  });

  it.each([
    "alignscore check facts",
    "patronus lynx check output hallucination",
    "autoalign check output",
    "self check sources",
    "cleanlab trustworthiness",
    "fiddler bot safety",
  ])("loads the library's output flow %j as the other engine's", async (flow) => {
    const config = withFlows({ output: [flow] });
    expect(unsupportedReason(await RailsConfig.fromContent({ config }))).toBe(
      `config has unsupported output flows: ['${flow}']`,
    );
  });

  it("names a flow that Colang defines, however near to ours, as no typo", async () => {
    const config = withFlows({ input: ["self check inputs"], tool_call: ["my tool check"] });
    const colang = "define subflow self check inputs\n  stop\ndefine flow my tool check\n  stop\n";
    expect(unsupportedReason(await RailsConfig.fromContent({ config, colang }))).toBe(
      "config has Colang files, which IORails would ignore: <colang>",
    );
  });

  it("counts flows written as YAML as Colang", async () => {
    const config = await RailsConfig.fromContent({
      config: {
        flows: [{ id: "self check inputs", elements: [] }],
        rails: { input: { flows: ["self check inputs"] } },
      },
    });
    expect(unsupportedReason(config)).toBe(
      "config has Colang files, which IORails would ignore: <config>",
    );
  });

  it("leaves to the other engine what only this one demands", async () => {
    const config = await RailsConfig.fromContent({
      config: {
        models: [],
        colang_version: "2.x",
        rails: { input: { flows: ["jailbreak detection model", "self check input"] } },
        prompts: [{ task: "self_check_output", content: "x", output_parser: "my_parser" }],
      },
    });
    expect(unsupportedReason(config)).toContain("Colang 2.x");
  });

  it("ignores blank Colang", async () => {
    expect(unsupportedReason(await RailsConfig.fromContent({ colang: " \n" }))).toBeUndefined();
  });
});
