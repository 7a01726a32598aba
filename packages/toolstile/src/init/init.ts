import { mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import type { Clock } from "@toolstile/core";
import { type Command, exitCodes } from "../terminal/command.js";
import { readArguments } from "../terminal/command-line.js";
import { isExplained, reasonOf } from "../terminal/file-error.js";
import { printable, type Terminal } from "../terminal/terminal.js";
import { type InitPlan, planOf } from "./plan.js";
import type { AskedServer } from "./server-tools.js";

/** The parts of its process that the command uses. */
export interface InitHost extends Pick<AskedServer, "onSignal"> {
  readonly clock: Clock;
}

/** `toolstile init`: a first guard.yaml for the tools that there are. */
export function initCommand(host: InitHost): Command {
  return {
    run: async (argv, terminal) => {
      const end = argv.indexOf("--");
      const command = end < 0 ? [] : argv.slice(end + 1);
      const given = readArguments(end < 0 ? argv : argv.slice(0, end), {
        tools: "string",
        mcp: "boolean",
        timeout: "string",
        out: "string",
        force: "boolean",
      });
      const plan = planOf(given, command);
      try {
        if (plan.server !== undefined) {
          await saveTools(plan, plan.server, host);
          terminal.out.write(`${printable(plan.toolsFile)}: the tools that the server listed\n`);
        }
        const { writeFirst } = await import("./write-first.js");
        return await writeFirst(plan, terminal);
      } catch (error) {
        if (!isExplained(error)) throw error;
        tell(error, terminal);
        return exitCodes.broken;
      }
    },
  };
}

/** Asks the server, and saves its list beside the guard.yaml. */
async function saveTools(
  { toolsFile }: InitPlan,
  server: NonNullable<InitPlan["server"]>,
  { clock, onSignal }: InitHost,
): Promise<void> {
  const { toolsOfServer } = await import("./server-tools.js");
  const tools = await toolsOfServer({ ...server, clock, onSignal });
  const { ToolstileError } = await import("@toolstile/core/provider");
  const { GuardFileError, loadToolDefinitions } = await import("@toolstile/config");
  const unusableList = (faults: readonly string[]): Error =>
    new ToolstileError(
      "ERR_CONFIG",
      `The server's list of tools cannot be used: ${faults.join("; ")}`,
    );
  // Under another name until it is known that it can be read: a file that is there stays as it is.
  const folder = mkdtempSync(join(dirname(resolve(toolsFile)), ".toolstile-init-"));
  try {
    const draft = join(folder, "tools.json");
    writeFileSync(draft, jsonText({ tools }));
    await loadToolDefinitions(draft);
    renameSync(draft, toolsFile);
  } catch (error) {
    if (error instanceof RangeError) throw unusableList(["it is nested too deeply"]);
    if (!(error instanceof GuardFileError)) throw error;
    const faults = error.faults.map(
      ({ path, message }) => `${path === "" ? "" : `${path}: `}${message}`,
    );
    throw unusableList(faults);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** @throws RangeError for what is nested too deeply for the engine to write. */
function jsonText(value: object): string {
  return `${JSON.stringify(value, undefined, 2)}\n`;
}

/** Writes what went wrong. The faults of a file stand on a line each. */
function tell(error: Error, { err }: Terminal): void {
  const lines = "faults" in error ? error.message.split("\n").map(printable) : [reasonOf(error)];
  const path = "path" in error ? `${printable(String(error.path))}: ` : "";
  for (const line of lines) err.write(`toolstile init: ${path}${line}\n`);
}
