import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { ToolstileError } from "@toolstile/core";

/** Settings of the SDK that keep hooks of a session from being asked. */
const switches = ["disableAllHooks", "allowManagedHooksOnly"];
/** Environment variables that do, and what sets them to nothing. */
const variables = ["CLAUDE_CODE_SAFE_MODE"];
const off: readonly unknown[] = [undefined, null, "", "0", "false", "no", "off"];
/** Events of which a hook in settings can change neither arguments nor results. Any other may be one that can. */
const harmless = [
  "Notification",
  "PreCompact",
  "SessionEnd",
  "SessionStart",
  "Stop",
  "StopFailure",
  "SubagentStart",
  "SubagentStop",
  "UserPromptSubmit",
];

type Members = Record<string, unknown>;

/**
 * Hooks that are not asked guard nothing, and a permission tool, or a hook in
 * settings, may put other arguments in the place of those that were decided.
 * Whatever asks for either is refused under each of its names: as an option, as
 * an argument of the program, as a variable, and in settings, written out or in
 * the file that the options name. Other files of settings are not looked into.
 *
 * @throws ToolstileError `ERR_UNSUPPORTED` where the options of `query()` ask for either.
 */
export function checkSettings(queryOptions: object): void {
  const options = membersOf(queryOptions);
  const flags = flagsOf(options["extraArgs"], options["executableArgs"]);
  if (flags.has("safemode")) {
    throw unsupported("The argument 'safe-mode' keeps hooks from running");
  }
  if (
    options["permissionPromptToolName"] !== undefined ||
    flags.has("permissionprompttool") ||
    flags.has("permissionprompttoolname")
  ) {
    throw unsupported(
      "permissionPromptToolName has a tool answer that may change arguments, and nothing here can stand between",
      "Give canUseTool in its place.",
    );
  }
  // Where none is given, the program is started with this process's own.
  checkVariables(options["env"] ?? process.env);
  const { settings, managedSettings, cwd } = options;
  for (const each of [
    settings,
    managedSettings,
    flags.get("settings"),
    flags.get("managedsettings"),
  ]) {
    checkOneOf(settingsIn(each, cwd));
  }
}

/** The settings, or what is in them, by the members that decide on hooks. */
function checkOneOf(given: Members): void {
  const found = switches.find((name) => isOn(given[name]));
  if (found !== undefined) throw unsupported(`The setting '${found}' keeps hooks from running`);
  checkVariables(given["env"]);
  for (const [event, hooks] of Object.entries(membersOf(given["hooks"]))) {
    if (harmless.includes(event) || isEmpty(hooks)) continue;
    throw unsupported(
      "The setting 'hooks' has hooks that may change arguments or results, and nothing here can stand between",
      "Give them as the option 'hooks', as functions; or make them guards.",
    );
  }
}

function checkVariables(given: unknown): void {
  for (const [name, value] of Object.entries(membersOf(given))) {
    // Names of variables are read in any case on Windows.
    const known = variables.find((each) => each === name.trim().toUpperCase());
    const isOff = off.includes(typeof value === "string" ? value.trim().toLowerCase() : value);
    if (known === undefined || isOff || value === false) continue;
    throw unsupported(`The environment variable '${known}' keeps hooks from running`);
  }
}

/**
 * The arguments of the program by the letters of their names: `--safe-mode`,
 * `safe-mode=` and `safeMode` are one. A value may be an argument of its own.
 */
function flagsOf(extraArgs: unknown, executableArgs: unknown): ReadonlyMap<string, unknown> {
  const flags = new Map<string, unknown>();
  const take = (argument: string, value: unknown): void => {
    const [name = "", ...rest] = argument.split("=");
    flags.set(lettersOf(name), rest.length === 0 ? value : rest.join("="));
  };
  for (const [key, value] of Object.entries(membersOf(extraArgs))) {
    take(key, value);
    if (typeof value === "string" && value.startsWith("-")) take(value, undefined);
  }
  // The program may be one file, which reads these as its own.
  const written = Array.isArray(executableArgs) ? executableArgs : [];
  for (const [at, each] of written.entries()) {
    if (typeof each === "string" && each.startsWith("-")) take(each, written[at + 1]);
  }
  return flags;
}

function lettersOf(name: string): string {
  return name.replace(/[^a-z]/gi, "").toLowerCase();
}

function isEmpty(hooks: unknown): boolean {
  return hooks === undefined || hooks === null || (Array.isArray(hooks) && hooks.length === 0);
}

function unsupported(what: string, wayOut = "Leave it out: the guards are hooks.") {
  return new ToolstileError("ERR_UNSUPPORTED", `${what}. ${wayOut}`);
}

/** Settings as an object, as JSON text, or in a file. */
function settingsIn(given: unknown, cwd: unknown): Members {
  if (typeof given !== "string") return membersOf(given);
  const written = read(given);
  return membersOf(written ?? read(settingsText(given, cwd)));
}

/** A file that is not there, or cannot be read, holds no settings; what else is wrong with it the program will say. */
function settingsText(path: string, cwd: unknown): string {
  try {
    return readFileSync(resolve(typeof cwd === "string" ? cwd : "", path), "utf8");
  } catch {
    return "";
  }
}

function membersOf(given: unknown): Members {
  return Object.assign(Object.create(null), typeof given === "object" ? given : undefined);
}

function read(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}

/** As the SDK takes it, which allows text for a boolean. */
function isOn(value: unknown): boolean {
  return value !== undefined && value !== false && value !== "false";
}
