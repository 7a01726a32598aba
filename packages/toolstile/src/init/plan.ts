import { existsSync } from "node:fs";
import { dirname, join, relative, resolve, sep } from "node:path";
import { type Arguments, UsageError } from "../terminal/command-line.js";
import { printable } from "../terminal/terminal.js";

const defaultTimeout = "60";

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
export function planOf(given: Arguments, command: readonly string[]): InitPlan {
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
