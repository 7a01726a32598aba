import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";

/** A folder that is gone after the test, and a way to put files in it. */
export function temporaryFolder() {
  const path = mkdtempSync(join(tmpdir(), "toolstile-"));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return {
    path,
    file: (name: string, content: string | Uint8Array = "") => {
      const file = join(path, name);
      writeFileSync(file, content);
      return file;
    },
    /** Where a file would be. */
    at: (name: string) => join(path, name),
  };
}
