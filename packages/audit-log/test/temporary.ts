import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";

/** A path in a folder that goes when the test is over. */
export function temporaryPath(name = "audit.jsonl"): string {
  const folder = mkdtempSync(join(tmpdir(), "audit-log-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return join(folder, name);
}
