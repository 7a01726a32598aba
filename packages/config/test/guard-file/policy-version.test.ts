import { digest } from "@toolstile/core/digest";
import { describe, expect, it } from "vitest";
import { stringify } from "yaml";
import { loadGuardFile } from "../../src/index.js";
import { guardYaml } from "./guard-yaml.js";

async function versionOf(text: string, files: Record<string, object> = {}, env = {}) {
  await using file = await loadGuardFile(guardYaml(text, files).path, { env });
  return file.policyVersion;
}

const base = "version: 1\nguards:\n  - use: ./allow.mjs\n    with: { name: a }\n";

describe("a policy version that the file does not give", () => {
  it("is the digest of what it says, and not of how that is written", async () => {
    const version = await versionOf(base);
    expect(version).toMatch(/^sha256:[0-9a-f]{64}$/);
    expect(
      await versionOf('# a word\nguards: [{with: {"name": a}, use: ./allow.mjs}]\nversion: 1\n'),
    ).toBe(version);
  });

  it("is the digest of the data, of the options as they are filled, and of the declared tools", async () => {
    const name = ["$", "{env:NAME}"].join("");
    const guards = [{ use: "./allow.mjs", with: { name } }, { use: "./deny.mjs" }];
    const tools = [{ name: "x", inputSchema: { type: "object" } }];
    const data = {
      version: 1,
      mode: "shadow",
      guards,
      agents: {
        b: { guards: [{ use: "./limit.mjs", with: { limit: 2 }, tools: ["x"] }] },
        a: { guards: [] },
      },
      observers: [{ use: "./record.mjs" }],
      tools,
    };
    const options = [{ name: "é" }, null, { limit: 2 }, null];
    expect(await versionOf(stringify(data), {}, { NAME: "é" })).toBe(
      `sha256:${digest([data, options, tools])}`,
    );
  });

  it.each<[string, string]>([
    ["an option", base.replace("name: a", "name: b")],
    ["a mode", `${base}    mode: shadow\n`],
    ["an agent", `${base}agents: { x: { guards: [] } }\n`],
    ["an observer", `${base}observers: [{ use: ./record.mjs }]\n`],
    ["declared tools", `${base}tools: [{ name: x }]\n`],
  ])("changes with %s", async (_, text) => {
    expect(await versionOf(text)).not.toBe(await versionOf(base));
  });

  it("changes with the file of tools that it names", async () => {
    const text = `${base}tools: ./t.json\n`;
    const [one, same, other] = [[{ name: "x" }], [{ name: "x" }], [{ name: "x", title: "X" }]];
    const version = await versionOf(text, { "t.json": one });
    expect(await versionOf(text, { "t.json": same })).toBe(version);
    expect(await versionOf(text, { "t.json": other })).not.toBe(version);
  });

  it("changes with the value of a variable that it names, and does not show it", async () => {
    const text = base.replace("name: a", `name: "${["$", "{env:NAME}"].join("")}"`);
    const version = await versionOf(text, {}, { NAME: "a" });
    expect(await versionOf(text, {}, { NAME: "b" })).not.toBe(version);
    expect(version).toMatch(/^sha256:[0-9a-f]{64}$/);
  });
});
