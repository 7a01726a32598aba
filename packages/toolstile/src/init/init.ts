import { existsSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative, resolve, sep } from "node:path";
import type { Clock } from "@toolstile/core";
import { type Command, exitCodes } from "../terminal/command.js";
import { type Arguments, readArguments, UsageError } from "../terminal/command-line.js";
import { isExplained, reasonOf } from "../terminal/file-error.js";
import { printable, type Terminal } from "../terminal/terminal.js";
import type { AskedServer } from "./server-tools.js";

/** The parts of its process that the command uses. */
export interface InitHost extends Pick<AskedServer, "onSignal"> {
  readonly clock: Clock;
}

const defaultTimeout = "60";

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
        if (plan.server !== undefined) await saveTools(plan, plan.server, host);
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

/** The files and the server of one run. */
export interface InitPlan {
  /** The guard.yaml that is written. */
  readonly out: string;
  /** The file with the tools: as given, or written beside the guard.yaml. */
  readonly toolsFile: string;
  /** The path of it as the guard.yaml names it. */
  readonly toolsPath: string;
  readonly overwrite: boolean;
  readonly server: { readonly command: readonly string[]; readonly timeoutMs: number } | undefined;
}

/** @throws UsageError for options that do not go together, and for files that are there already. */
function planOf(given: Arguments, command: readonly string[]): InitPlan {
  const [stray] = given.operands;
  if (stray !== undefined)
    throw new UsageError(`Write the file with the tools as --tools ${stray}.`);
  const file = given.text("tools");
  const isServer = given.has("mcp");
  if ((file === undefined) !== isServer) {
    throw new UsageError("Name the tools: --tools FILE, or --mcp -- COMMAND.");
  }
  if (isServer && command.length === 0) {
    throw new UsageError("Name the server, after --: toolstile init --mcp -- COMMAND.");
  }
  if (!isServer && command.length > 0) throw new UsageError("A command after -- goes with --mcp.");
  if (!isServer && given.has("timeout")) throw new UsageError("--timeout goes with --mcp.");
  const out = given.text("out") ?? "guard.yaml";
  const toolsFile = file ?? join(dirname(out), "tools.json");
  if (resolve(out) === resolve(toolsFile)) {
    throw new UsageError(`--out would write over ${printable(toolsFile)}.`);
  }
  const overwrite = given.has("force");
  for (const each of isServer ? [out, toolsFile] : [out]) {
    if (!overwrite && existsSync(each)) {
      throw new UsageError(`${printable(each)} is there already. Pass --force to write over it.`);
    }
  }
  const timeoutMs = isServer ? secondsOf(given.text("timeout") ?? defaultTimeout) : 0;
  return {
    out,
    toolsFile,
    toolsPath: pathFrom(dirname(resolve(out)), resolve(toolsFile)),
    overwrite,
    server: isServer ? { command, timeoutMs } : undefined,
  };
}

function secondsOf(text: string): number {
  const seconds = Number(text);
  if (/^\d+(\.\d+)?$/.test(text) && seconds > 0 && seconds < 2_000_000) return seconds * 1_000;
  throw new UsageError("--timeout is a number of seconds.");
}

/** The path as a guard.yaml in that folder names it: with `/`, on every system. */
function pathFrom(folder: string, file: string): string {
  const path = relative(folder, file).split(sep).join("/");
  return path.startsWith("../") || resolve(folder, path) !== file ? path : `./${path}`;
}

/** Asks the server, and saves its list beside the guard.yaml. */
async function saveTools(
  { toolsFile }: InitPlan,
  server: NonNullable<InitPlan["server"]>,
  { clock, onSignal }: InitHost,
): Promise<void> {
  const { toolsOfServer } = await import("./server-tools.js");
  const tools = await toolsOfServer({ ...server, clock, onSignal });
  const { ToolstileError } = await import("@toolstile/core");
  const { GuardFileError, loadToolDefinitions } = await import("@toolstile/config");
  // Under another name until it is known that it can be read: a file that is there stays as it is.
  const folder = mkdtempSync(join(dirname(resolve(toolsFile)), ".toolstile-init-"));
  try {
    const draft = join(folder, "tools.json");
    writeFileSync(draft, `${JSON.stringify({ tools }, undefined, 2)}\n`);
    await loadToolDefinitions(draft);
    renameSync(draft, toolsFile);
  } catch (error) {
    if (!(error instanceof GuardFileError)) throw error;
    const faults = error.faults.map(
      ({ path, message }) => `${path === "" ? "" : `${path}: `}${message}`,
    );
    const problem = `The server's list of tools cannot be used: ${faults.join("; ")}`;
    throw new ToolstileError("ERR_CONFIG", problem);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Writes what went wrong. The faults of a file stand on a line each. */
function tell(error: Error, { err }: Terminal): void {
  const lines = "faults" in error ? error.message.split("\n").map(printable) : [reasonOf(error)];
  const path = "path" in error ? `${printable(String(error.path))}: ` : "";
  for (const line of lines) err.write(`toolstile init: ${path}${line}\n`);
}
