import { describe, expect, it } from "vitest";
import { inspectApprover } from "../../src/index.js";
import { messageOf } from "../packages.js";
import { guardYaml } from "./guard-yaml.js";

const others = `version: 1
guards:
  - use: ./not-there.mjs
    with: { url: "\${env:NOT_SET}" }
`;

describe("inspectApprover", () => {
  it("reads the approver alone, with the variables that it names, and loads nothing", async () => {
    const file = guardYaml(
      `${others}approver:\n  use: "@toolstile/approval"\n  with: { folder: { path: "\${env:FOLDER}" } }\n`,
    );
    expect(await inspectApprover(file.path, { env: { FOLDER: "/srv/approvals" } })).toEqual({
      use: "@toolstile/approval",
      options: { folder: { path: "/srv/approvals" } },
    });
  });

  it("has no options where the file gives none, and nothing where it names no approver", async () => {
    const file = guardYaml(`${others}approver: { use: ./ask.mjs }\n`);
    expect(await inspectApprover(file.path)).toEqual({ use: "./ask.mjs", options: {} });
    expect(await inspectApprover(guardYaml(others).path)).toBeUndefined();
  });

  it.each([
    ["approver: { user: a }\n", "guard.yaml:5:1: approver.use: is missing"],
    ["approver: [\n", "cannot be read as YAML"],
    [
      `approver: { use: a, with: { folder: "\${env:NONE}" } }\n`,
      "approver.with.folder: the environment variable 'NONE' is not set",
    ],
  ])("P5 refuses %j", async (text, message) => {
    const { path } = guardYaml(`${others}${text}`);
    expect(await messageOf(() => inspectApprover(path, { env: {} }))).toContain(message);
    expect(await messageOf(() => inspectApprover(`${path}.no`, {}))).toContain("ERR_CONFIG");
  });
});
