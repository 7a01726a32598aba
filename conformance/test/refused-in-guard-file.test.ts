import { execFile } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { loadGuardFile } from "@toolstile/config";
import { ToolRunner } from "@toolstile/core";
import { fakeTool } from "@toolstile/testing";
import { expect, it, onTestFinished } from "vitest";

const run = promisify(execFile);
const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
const cli = here("../../packages/toolstile/dist/cli.js");

/** A guard.yaml with an audit log and approvals, in a folder from which every package can be named. */
function policyFile(): string {
  const folder = mkdtempSync(join(here(".."), ".toolstile-refused-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  mkdirSync(join(folder, "approvals"), { mode: 0o700 });
  const path = join(folder, "guard.yaml");
  writeFileSync(
    path,
    `version: 1
guards:
  - use: "@toolstile/rules"
    with:
      rules: [{ id: deletes, tools: [delete_file], ask: it deletes a file }]
observers:
  - use: "@toolstile/audit-log"
    with: { folder: { path: ${join(folder, "audit")} } }
approver:
  use: "@toolstile/approval"
  with: { folder: { path: ${join(folder, "approvals")} } }
`,
  );
  return path;
}

async function toolstile(...given: string[]): Promise<string> {
  return (await run(process.execPath, [cli, ...given])).stdout;
}

it.skipIf(!existsSync(cli))(
  "P9 P15 a refusal at a terminal is found by the file of another process, read by the model, and on record",
  async () => {
    const path = policyFile();
    const deleted = fakeTool("delete_file");
    await using asking = await loadGuardFile(path);
    const asked = new ToolRunner({ tools: [deleted], ...asking.runnerOptions() });
    await asked.run({ name: "delete_file", arguments: { path: "a.txt" } });

    await using file = await loadGuardFile(path);
    const listed = await file.approver?.list?.();
    expect(listed?.records).toMatchObject([{ question: { args: { path: "a.txt" } } }]);
    const id = listed?.records[0]?.id ?? "";
    await toolstile(
      "approvals",
      "deny",
      id,
      "--config",
      path,
      "--by",
      "ann",
      "--yes",
      "--reason",
      "keep it",
    );
    expect(await toolstile("approvals", "show", id, "--config", path)).toContain("keep it");
    expect(await file.approver?.read?.(id)).toMatchObject({ state: "denied" });

    const runner = new ToolRunner({ tools: [deleted], ...file.runnerOptions() });
    const { status, result } = await runner.resume(id);
    expect([status, result.content]).toEqual([
      "denied",
      "Tool call denied: it deletes a file; keep it",
    ]);
    expect(deleted.runs).toEqual([]);
    const audit = await toolstile("audit", path.replace("guard.yaml", "audit"));
    expect(audit).toContain(`approval '${id}' was refused by 'ann'`);
  },
);
