import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { loadGuardFile } from "@toolstile/config";
import { describe, expect, it, onTestFinished } from "vitest";

/** The problems that are reported for a guard.yaml with an allowlist of these rules. */
async function saidOf(allow: string): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), "toolstile-allow-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, "guard.yaml");
  const guard = `{ use: "@toolstile/allowlist", with: { allow: ${allow} } }`;
  writeFileSync(path, `version: 1\nguards: [${guard}]\n`);
  try {
    await (await loadGuardFile(path, { import: (name) => import(name) })).close();
    return "loaded";
  } catch (error) {
    return String((error as Error).message);
  }
}

describe("an allowlist in a guard.yaml", () => {
  it("says of a name with a star how a pattern is written", async () => {
    const message = await saidOf('["github_*"]');
    expect(message).toMatch(/guards\[0\]\.with\.allow\[0\]: expected text that matches/);
    expect(message).toContain('{ pattern: "github_*" }');
    expect(message).not.toContain("or object");
    expect(await saidOf('[{ pattern: "github_*" }]')).toBe("loaded");
  });

  it("says of a misspelt member of a pattern which one is meant", async () => {
    expect(await saidOf('[{ patern: "a*" }]')).toContain(
      "there is no option 'patern'. Did you mean 'pattern'?",
    );
  });

  it("names all forms where the value is of none of their types", async () => {
    expect(await saidOf("[7]")).toContain("expected string, or object");
  });
});
