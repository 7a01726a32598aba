import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { readText } from "../src/yaml/index.js";

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "toolstile-text-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

it.skipIf(process.platform === "win32")(
  "does not wait for somebody to write to a pipe that stands where a file should",
  async () => {
    const path = join(temporaryFolder(), "guard.yaml");
    execFileSync("mkfifo", [path]);
    expect(await readText(path)).toEqual({ fault: "it is not a regular file" });
  },
);

it.skipIf(process.platform === "win32")("says of a socket that it is no file", async () => {
  const path = join(temporaryFolder(), "guard.yaml");
  const server = createServer();
  await new Promise<void>((resolve) => void server.listen(path, resolve));
  try {
    expect(await readText(path)).toEqual({ fault: "it is not a regular file" });
  } finally {
    await new Promise((resolve) => void server.close(resolve));
  }
});
