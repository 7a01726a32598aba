import "./node-version.mjs";
import { mkdtempSync, readFileSync, rmSync, statfsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inView, root } from "./processes.mjs";
import { build, install } from "./setup.mjs";
import { conclude } from "./test-conclusion.mjs";

const [first, ...others] = process.argv.slice(2);
const run = first === "--long" ? "long" : "short";
const given = first === "--long" ? others : process.argv.slice(2);

install();
const built = build();

const folder = mkdtempSync(join(temporaryFolder(), "toolstile-test-"));
const reportFile = join(folder, "report.json");
const vitest = join(root, "node_modules", "vitest", "vitest.mjs");
const reporters = ["--reporter=default", `--reporter=${join(root, "scripts", "test-report.mjs")}`];
const env = {
  ...process.env,
  // What a test leaves behind goes with the folder.
  TMPDIR: folder,
  TOOLSTILE_TESTS: run,
  TOOLSTILE_TEST_REPORT: reportFile,
};
const command = [process.execPath, vitest, "run", "--allowOnly=false", ...reporters, ...given];
const status = inView(command, { env });
const conclusion = conclude(readReport(), { built, status, run });
rmSync(folder, { recursive: true, force: true });

for (const line of conclusion.lines) console.log(line);
process.exitCode = conclusion.succeeded ? 0 : 1;

/** The folder for temporary files: in memory in the short run, where there is room. Only the long run waits for a disk. */
function temporaryFolder() {
  const memory = "/dev/shm";
  if (run === "long" || process.platform !== "linux") return tmpdir();
  try {
    const { bavail, bsize } = statfsSync(memory);
    return bavail * bsize > 2 ** 31 ? memory : tmpdir();
  } catch {
    return tmpdir();
  }
}

/** @returns {import("./test-report.mjs").Report | undefined} */
function readReport() {
  try {
    return JSON.parse(readFileSync(reportFile, "utf8"));
  } catch {
    return undefined;
  }
}
