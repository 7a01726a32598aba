import { statSync } from "node:fs";
import { type Command, exitCodes } from "../terminal/command.js";
import { readArguments, UsageError } from "../terminal/command-line.js";
import { complaint, isExplained } from "../terminal/file-error.js";
import type { Terminal } from "../terminal/terminal.js";
import { readTime, timeForm } from "./sample-time.js";

/** `toolstile check`: what is wrong with this guard.yaml, and what would it do? */
export const check: Command = {
  run: async (argv, terminal) => {
    const given = readArguments(argv, {
      tools: "string",
      unchecked: "boolean",
      call: "strings",
      calls: "strings",
      agent: "string",
      at: "string",
      json: "boolean",
    });
    const [path, ...more] = given.operands;
    if (path === undefined) throw new UsageError("Name the guard.yaml to check.");
    if (more.length > 0) throw new UsageError("One guard.yaml at a time.");
    const toolsPath = given.text("tools");
    const files = [path, ...(toolsPath === undefined ? [] : [toolsPath]), ...given.texts("calls")];
    for (const file of files) if (!isReadable(file, terminal)) return exitCodes.usage;
    const at = readAt(given.text("at"));
    // What follows needs packages that a command line which is wrong does not.
    const { readSamples } = await import("./samples.js");
    const samples = await readSamples(given.texts("call"), given.texts("calls"), terminal);
    if (samples === undefined) return exitCodes.usage;
    const { printReport } = await import("./print-report.js");
    return await printReport(
      {
        path,
        toolsPath,
        unchecked: given.has("unchecked"),
        agent: given.text("agent"),
        at,
        samples,
      },
      given.has("json"),
      terminal,
    );
  },
};

/** @throws UsageError */
function readAt(text: string | undefined): number | undefined {
  const at = text === undefined ? undefined : readTime(text);
  if (text === undefined || at !== undefined) return at;
  throw new UsageError(`--at takes ${timeForm}.`);
}

function isReadable(path: string, { err }: Terminal): boolean {
  try {
    if (!statSync(path).isDirectory()) return true;
    throw Object.assign(new Error(), { code: "EISDIR", syscall: "read" });
  } catch (error) {
    if (!isExplained(error)) throw error;
    err.write(complaint(path, error));
    return false;
  }
}
