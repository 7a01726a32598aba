import { execFile, spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";

const hasPython =
  process.platform !== "win32" && spawnSync("python3", ["-c", "import pty"]).status === 0;

/** What a terminal shows where somebody types ahead, and then these lines, each when it is asked for. */
async function typed(ahead: string, answers: readonly string[]): Promise<string> {
  const at = (name: string) => fileURLToPath(new URL(name, import.meta.url));
  const program = [process.execPath, "--conditions=@toolstile/source", at("asker.mjs")];
  const { stdout } = await promisify(execFile)("python3", [
    at("at-terminal.py"),
    ahead,
    answers.join("\n"),
    ...program,
  ]);
  return stdout;
}

describe.skipIf(!hasPython)("onTerminal() at a terminal (needs python3)", () => {
  it.each<[string, string, readonly string[], string]>([
    ["y, and then Enter", "y", ["", "n"], "denied"],
    ["yes, and then Enter", "yes", ["", "n"], "denied"],
    ["y and Enter, and then Enter", "y\n", ["", "n"], "denied"],
    ["y, and then the code", "y", ["CODE", "n"], "denied"],
    ["y, then the code, and then the code alone", "y", ["CODE", "CODE"], "approved"],
    ["Enter, and then the code", "\n", ["CODE"], "approved"],
  ])("P9 approves by nothing that was typed ahead: %s", async (_, ahead, answers, decision) => {
    const shown = await typed(ahead, answers);
    expect(shown).toMatch(new RegExp(`answered: ${decision}\\r?\\n`));
    expect(shown.match(/To approve, type/g)).toHaveLength(answers.length);
  });
});
