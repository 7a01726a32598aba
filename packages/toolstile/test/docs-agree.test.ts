import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { auditLog, folder } from "@toolstile/audit-log";
import { ToolRunner, tool } from "@toolstile/core";
import { rateLimit } from "@toolstile/rate-limit";
import { redact } from "@toolstile/redact";
import { describe, expect, it } from "vitest";
import { help } from "../src/check/help.js";
import { help as initHelp } from "../src/init/help.js";
import { main } from "../src/main.js";
import { help as replayHelp } from "../src/replay/help.js";
import { capturedTerminal } from "./captured-terminal.js";
import { folderWithPackages, packagesAreBuilt } from "./installed-packages.js";
import { temporaryFolder } from "./temporary-folder.js";

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

/** Calls whose guards are those of the package, on a clock that the test has. */
async function auditedCalls(path: string): Promise<void> {
  const at = (text: string) => Date.parse(`2026-11-29T${text}Z`);
  let now = at("09:09:00.000");
  const clock = { now: () => now, setTimeout, clearTimeout };
  const say = (name: string, content: string) => tool({ name, execute: () => content });
  const runner = new ToolRunner({
    tools: [
      say("summarise_document", "It is about tea."),
      say("translate", "Tee"),
      say("send_email", "Sent to zoe@brawyn.de."),
    ],
    guardrails: [
      rateLimit({ limit: 30, windowMs: 60_000, key: "session", now: () => now }),
      redact({ results: "deny" }),
    ],
    observers: [auditLog({ sink: folder(path, { writer: "agent" }), now: () => now })],
    clock,
  });
  const run = (name: string, sessionId: string) => runner.run({ name }, { context: { sessionId } });
  for (let calls = 0; calls < 30; calls++) await run("summarise_document", "s-night-batch");
  now = at("09:09:21.121");
  await run("summarise_document", "s-night-batch");
  now = at("09:10:37.913");
  await run("translate", "s-anna-0412");
  now = at("09:17:02.528");
  await run("send_email", "s-anna-0412");
  await runner.close();
}

describe("the documentation of toolstile audit", () => {
  it("shows a table that the command prints, with the codes and the reasons that the guards give", async () => {
    const path = temporaryFolder().at("audit");
    await auditedCalls(path);
    const terminal = capturedTerminal();
    expect(await main(["audit", path, "--limit", "3"], terminal)).toBe(0);
    const [, shown = ""] = /^```text\n(time \(UTC\).*?)^```/ms.exec(page("docs/audit.md")) ?? [];
    expect(terminal.written().out).toContain(shown);
    expect(shown.split("\n")).toHaveLength(6);
  });
});

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
