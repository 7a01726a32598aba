import { ToolRunner, tool } from "@toolstile/core";
import { describe, expect, it } from "vitest";
import { loadGuardFile } from "../../src/index.js";
import { guardYaml } from "./guard-yaml.js";

const names = ["github_read", "github_\u00e9", "search"];
const tools = names.map((name) => tool({ name, execute: () => "done" }));
const scoped = (scope: string, more = "") =>
  guardYaml(
    `version: 1\nguards:\n  - use: ./allow.mjs\n  - use: ./deny.mjs\n    tools: ${scope}\n${more}`,
  ).path;

async function faultsOf(path: string): Promise<string> {
  const error = await loadGuardFile(path).catch((fault) => fault);
  return String(error.message);
}

describe("a guard whose tools are a pattern", () => {
  it("has a say about the tools that the pattern matches, and about no others", async () => {
    await using file = await loadGuardFile(scoped('[{ pattern: "github_*" }]'));
    const runner = new ToolRunner({ tools, ...file.runnerOptions() });
    const statuses = names.map(async (name) => (await runner.run({ name })).status);
    expect(await Promise.all(statuses)).toEqual(["denied", "denied", "executed"]);
    const [everywhere, here] = file.guards;
    expect(here?.tools).toEqual([{ pattern: "github_*" }]);
    expect(names.map((name) => here?.covers(name))).toEqual([true, true, false]);
    expect(names.map((name) => everywhere?.covers(name))).toEqual([true, true, true]);
  });

  it("P5 is wrong where the file declares tools and none of them matches", async () => {
    const declared = "tools: [{ name: search }]\n";
    expect(await faultsOf(scoped('[search, { pattern: "github_*" }]', declared))).toMatch(
      /:5:21: guards\[1\]\.tools\[1\]: no tool is declared that the pattern matches$/,
    );
  });

  it.each([
    ['["github_*"]', /tools\[0\]: must be .* a pattern of names as \{ pattern: "github_\*" \}/],
    ['[{ patern: "a*" }]', /tools\[0\]\.patern: there is no key 'patern' here\. Did you mean/],
    ["[{}]", /tools\[0\]\.pattern: is missing$/],
    ['[{ pattern: "" }]', /tools\[0\]\.pattern: must be a pattern of tool names$/],
    [`[{ pattern: ${"a".repeat(257)} }]`, /tools\[0\]\.pattern: must be of at most 256/],
    ["[7]", /tools\[0\]: must be the name of a tool, or a pattern/],
    ['""', /tools: must be a list of tool names$/],
  ])("P5 is wrong with %s, and says how a pattern is written", async (scope, message) => {
    expect(await faultsOf(scoped(scope))).toMatch(message);
  });
});
