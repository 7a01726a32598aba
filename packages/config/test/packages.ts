import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";

/** A folder with these files, gone after the test. Objects are written as JSON. */
export function folderWith(files: Readonly<Record<string, string | object>>): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "toolstile-config-")));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const [path, content] of Object.entries(files)) {
    const file = join(folder, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, typeof content === "string" ? content : JSON.stringify(content));
  }
  return folder;
}

/** A module whose plugin makes a guardrail of the given name. */
export function pluginSource(name: string, keyword = "export const plugin ="): string {
  return `${keyword} {
  name: "test",
  optionsSchema: { type: "object", properties: { name: { type: "string" } } },
  create: (options) => ({ name: options.name ?? "${name}", evaluate: () => ({ decision: "allow" }) }),
};`;
}

export async function messageOf(attempt: () => unknown): Promise<string> {
  try {
    await attempt();
  } catch (error) {
    return `${(error as { code?: unknown }).code} ${(error as Error).message}`;
  }
  return "nothing thrown";
}
