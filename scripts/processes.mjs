import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { fileURLToPath } from "node:url";

/** The repository's top folder. */
export const root = fileURLToPath(new URL("..", import.meta.url));

/** The pinned pnpm, as `pnpm@version`. */
export const packageManager = String(
  JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8")).packageManager,
);

/** The variables that npm puts into a script's environment, or a person gave to npm, and that would change what is installed. */
const misleading = new Set(
  ["call", "dev", "dry_run", "global", "include", "include_workspace_root", "location", "lockfile"]
    .concat(["omit", "only", "optional", "package", "package_lock", "package_lock_only"])
    .concat(["production", "workspace", "workspaces", "yes"])
    .map((name) => `npm_config_${name}`),
);

/**
 * Say on the standard error what is going on: as it begins to a terminal, and to all if it fails.
 *
 * @param {string} doing In one line.
 * @returns {(succeeded: boolean) => void} To be told how it ended.
 */
export function announce(doing) {
  const started = Date.now();
  const watched = process.stderr.isTTY === true;
  if (watched) process.stderr.write(`${doing} … `);
  return (succeeded) => {
    const seconds = ((Date.now() - started) / 1000).toFixed(1);
    const ended = `${succeeded ? "done" : "FAILED"} after ${seconds} s\n`;
    if (watched) process.stderr.write(ended);
    else if (!succeeded) process.stderr.write(`${doing} … ${ended}`);
  };
}

/**
 * Run a program whose output matters only when it fails.
 *
 * @param {string} doing What is going on, in one line.
 * @param {readonly string[]} command
 * @param {{ cwd?: string, env?: NodeJS.ProcessEnv, timeout?: number }} [options]
 * @returns {boolean} Whether it succeeded. If not, its output has been shown.
 */
export function quietly(doing, command, options = {}) {
  const end = announce(doing);
  const result = spawnSync(command[0] ?? "", command.slice(1), {
    cwd: root,
    encoding: "utf8",
    maxBuffer: 1 << 28,
    ...options,
  });
  const succeeded = result.status === 0;
  end(succeeded);
  if (!succeeded) {
    process.stderr.write(`${result.error?.message ?? ""}${result.stdout}${result.stderr}\n`);
  }
  return succeeded;
}

/**
 * Run a program in view. Its exit status; 1 if it could not start or was killed.
 *
 * @param {readonly string[]} command
 * @param {{ cwd?: string, env?: NodeJS.ProcessEnv }} [options]
 */
export function inView(command, options = {}) {
  const result = spawnSync(command[0] ?? "", command.slice(1), {
    cwd: root,
    stdio: "inherit",
    ...options,
    env: withoutColourInLogs(options.env ?? process.env),
  });
  if (result.error) process.stderr.write(`${result.error.message}\n`);
  return result.status ?? 1;
}

/**
 * The command that runs a program with the pinned pnpm on its path, fetching pnpm first if need be.
 *
 * Not corepack: the one that ships with Node 20 has outdated signature keys.
 *
 * @param {readonly string[]} command
 */
export function withPnpm(command) {
  const options = ["--yes", "--prefer-offline", `--package=${packageManager}`];
  return [...npm(), "exec", ...options, "--", ...command];
}

/** This environment without the settings that would change what pnpm, or npm, does. */
export function environmentForPnpm() {
  return Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !misleading.has(name.toLowerCase())),
  );
}

/**
 * Not every program looks whether it writes to a terminal.
 *
 * @param {NodeJS.ProcessEnv} environment
 */
function withoutColourInLogs(environment) {
  const coloured = process.stdout.isTTY || environment.FORCE_COLOR !== undefined;
  return coloured ? environment : { ...environment, NO_COLOR: "1" };
}

/** The command that is npm. */
export function npm() {
  const running = process.env.npm_execpath;
  return running !== undefined && /^np[mx]-cli\.js$/.test(basename(running))
    ? [process.execPath, running.replace(/npx-cli\.js$/, "npm-cli.js")]
    : ["npm"];
}
