import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { help } from "../src/check/help.js";
import { help as initHelp } from "../src/init/help.js";
import { help as replayHelp } from "../src/replay/help.js";
import { folderWithPackages, packagesAreBuilt } from "./installed-packages.js";

const entry = fileURLToPath(new URL("../dist/cli.js", import.meta.url));
const page = (path: string) => readFileSync(new URL(`../../../${path}`, import.meta.url), "utf8");

/** The policy, the sample calls and the output that docs/rules.md shows. */
function example(): readonly (string | undefined)[] {
  const [, section = ""] = page("docs/rules.md").split("## Checking and proving a policy\n");
  const block = (kind: string) =>
    new RegExp(`^\`\`\`${kind}\\n(.*?)^\`\`\``, "ms").exec(section)?.[1];
  return [block("yaml"), block("jsonl"), block("text")];
}

/** The first words of the lines of a part of a help. */
function listedIn(part: string, help: string): readonly string[] {
  const [, text = ""] = new RegExp(`^${part}:\\n(.*?)\\n\\n`, "ms").exec(help) ?? [];
  return [...text.matchAll(/^ {2}(\S+)/gm)].map(([, word = ""]) => word);
}

describe("the documentation of toolstile init, check and replay", () => {
  it.skipIf(!packagesAreBuilt)(
    "shows what the command prints for its policy and sample calls",
    async () => {
      const [policy, calls, shown] = example();
      const folder = folderWithPackages();
      folder.file("guard.yaml", policy);
      folder.file("calls.jsonl", calls);
      const argv = [entry, "check", "guard.yaml", "--calls", "calls.jsonl"];
      const { stdout, status } = spawnSync(process.execPath, argv, {
        cwd: folder.path,
        encoding: "utf8",
        env: { ...process.env, NO_COLOR: "1" },
      });
      expect(stdout).toBe(shown);
      expect(status).toBe(1);
    },
  );

  it("lists the findings that the help lists", () => {
    const [, section = ""] = page("docs/guard-file.md").split("## toolstile check\n");
    const listed = [...section.matchAll(/^\| `(\w+)` \|/gm)].map(([, kind]) => kind);
    expect(listed).toEqual(listedIn("Findings", help));
    expect(listed.length).toBeGreaterThan(9);
  });

  it.each([
    ["init", initHelp],
    ["check FILE", help],
    ["replay FILE…", replayHelp],
  ])("lists the options that the help lists, in the README: toolstile %s", (heading, text) => {
    const [, section = ""] = page("packages/toolstile/README.md").split(
      `## \`toolstile ${heading}\`\n`,
    );
    const [table = ""] = section.split("\n## ");
    const listed = [...table.matchAll(/^\| `(--[\w-]+)/gm)].map(([, option]) => option);
    expect(listed.toSorted()).toEqual([...listedIn("Options", text)].toSorted());
  });
});
