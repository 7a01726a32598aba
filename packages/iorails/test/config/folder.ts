import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";

/** A folder with these files, made in the order given, gone when the test is over. */
export async function folder(files: Readonly<Record<string, string>>): Promise<string> {
  const { path, remove } = await makeFolder(files);
  onTestFinished(remove);
  return path;
}

export async function makeFolder(
  files: Readonly<Record<string, string>>,
): Promise<{ path: string; remove: () => Promise<void> }> {
  const path = await mkdtemp(join(tmpdir(), "toolstile-config-"));
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(path, name)), { recursive: true });
    await writeFile(join(path, name), text);
  }
  return { path, remove: () => rm(path, { recursive: true, force: true }) };
}
