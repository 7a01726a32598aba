import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { folderWithPackages } from "./installed-packages.js";

const entry = fileURLToPath(new URL("../dist/cli.js", import.meta.url));

/** Says on the standard error of each file that it is loaded. */
const hooks = `import { writeSync } from "node:fs";
export function load(url, context, next) {
  writeSync(2, "loaded " + url + "\\n");
  return next(url, context);
}`;
const register = `import { register } from "node:module"; register(${JSON.stringify(dataUrl(hooks))});`;

function dataUrl(source: string): string {
  return `data:text/javascript,${encodeURIComponent(source)}`;
}

/** The modules that a command loads, as package and file. */
function loadedBy(argv: readonly string[]): readonly string[] {
  const { stderr } = spawnSync(process.execPath, ["--import", dataUrl(register), entry, ...argv], {
    encoding: "utf8",
  });
  const files = stderr.match(/(?<=^loaded file:\/\/).*$/gm) ?? [];
  return files.map((file) => file.replace(/^.*\/(?:node_modules|packages)\//, ""));
}

function packagesOf(files: readonly string[]): readonly string[] {
  const names = files.map((file) => /^(?:@[^/]+\/)?[^/]+/.exec(file)?.[0] ?? file);
  return [...new Set(names)].toSorted();
}

/** Core with what its runner needs. */
const runner = ["core", "eventemitter3", "p-limit", "yocto-queue"];

describe.skipIf(!existsSync(entry))("what the built command (dist/cli.js) loads", () => {
  it.each([
    [["--version"]],
    [["--help"]],
    [["audit", "--help"]],
    [["help", "mcp"]],
    [["init", "--help"]],
  ])("is next to nothing for %j", (argv) => {
    const files = loadedBy(argv);
    expect(packagesOf(files)).toEqual(["toolstile"]);
    expect(files.length).toBeLessThanOrEqual(6);
  });

  it.each([
    ["verify", ["audit-log", "core"]],
    ["audit", ["audit-log", "core"]],
    ["approvals", ["approval", "core"]],
    ["check", ["core"]],
    ["init", ["core"]],
    ["replay", ["core"]],
    ["mcp", ["core"]],
  ])("is what %s needs until it has read its options, and no runner", (name, expected) => {
    expect(packagesOf(loadedBy([name, "--unknown"]))).toEqual([...expected, "toolstile"]);
  });

  it("is what a guard.yaml without rules needs, for check", () => {
    const folder = folderWithPackages();
    const guards = 'version: 1\nguards: [{ use: "@toolstile/allowlist", with: { allow: [a] } }]\n';
    const packages = packagesOf(loadedBy(["check", folder.file("guard.yaml", guards)]));
    const expected = ["ajv", "allowlist", "config", ...runner, "js-yaml", "toolstile"];
    expect(packages).toEqual(expected.toSorted());
  });

  it("has of a log only what reads it, and no runner, for audit", () => {
    const files = loadedBy(["audit", "--unknown"]);
    const isOfAnother =
      /^(?:core\/dist\/(?:run|runner|tool|host)|audit-log\/dist\/(?:log|folder|sink))\//;
    expect(files.filter((file) => isOfAnother.test(file))).toEqual([]);
    expect(files.filter((file) => file.startsWith("audit-log/dist/read/"))).not.toEqual([]);
  });

  it("has nothing of the proxy in it for its pins", () => {
    const files = loadedBy(["mcp", "pins", "--unknown"]);
    expect(packagesOf(files)).toEqual(["approval", ...runner, "mcp", "toolstile"].toSorted());
    expect(files.filter((file) => file.startsWith("mcp/dist/proxy"))).toEqual([]);
  });
});
