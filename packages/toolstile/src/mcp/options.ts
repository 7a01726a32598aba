import { dirname, join } from "node:path";
import { type Arguments, type OptionForms, UsageError } from "../terminal/command-line.js";

export const forms = {
  config: "string",
  agent: "string",
  name: "string",
  unchecked: "boolean",
  "show-denied": "boolean",
  "call-timeout": "string",
  "pass-method": "string",
  pins: "string",
  trust: "string",
  "no-pins": "boolean",
  listen: "string",
  upstream: "string",
  "credential-env": "string",
  "credential-header": "string",
  "allow-host": "string",
  "allow-origin": "string",
  "allow-remote": "boolean",
} as const satisfies OptionForms;

const forListening = [
  "upstream",
  "credential-env",
  "credential-header",
  "allow-host",
  "allow-origin",
  "allow-remote",
] as const;

/** @throws UsageError for options that do not go together. */
export function checkTogether(given: Arguments, hasCommand: boolean): void {
  if (!given.has("config")) throw new UsageError("Name the guards: --config guard.yaml.");
  if (!given.has("listen")) {
    const stray = forListening.find((name) => given.has(name));
    if (stray !== undefined) throw new UsageError(`--${stray} goes with --listen.`);
    if (!hasCommand) {
      throw new UsageError(
        "Name the server, after --: toolstile mcp --config guard.yaml -- COMMAND.",
      );
    }
  } else if (hasCommand) {
    throw new UsageError(
      "--listen is for a server at --upstream; one that is started speaks stdio.",
    );
  } else if (!given.has("upstream")) {
    throw new UsageError("--listen needs --upstream, the server's address.");
  }
  if (given.has("credential-header") && !given.has("credential-env")) {
    throw new UsageError("--credential-header goes with --credential-env.");
  }
  if (given.has("no-pins") && (given.has("pins") || given.has("trust"))) {
    throw new UsageError("--no-pins goes neither with --pins nor with --trust.");
  }
}

/** The path of the pins: as given, or beside the guard.yaml. */
export function pinsPath(given: Arguments): string | undefined {
  const config = given.text("config");
  return given.text("pins") ?? (config && join(dirname(config), "mcp-pins.json"));
}

/** @throws UsageError for another word. */
export function trustOf(given: Arguments): "first-use" | "approved-only" {
  const trust = given.text("trust") ?? "first-use";
  if (trust === "first-use" || trust === "approved-only") return trust;
  throw new UsageError("--trust is first-use or approved-only.");
}

/** Reads seconds as milliseconds. @throws UsageError for a value that is not a number of seconds. */
export function callTimeoutOf(given: Arguments): number | undefined {
  const text = given.text("call-timeout");
  if (text === undefined) return undefined;
  const seconds = Number(text);
  if (/^\d+(\.\d+)?$/.test(text) && seconds > 0 && seconds < 2_000_000) return seconds * 1_000;
  throw new UsageError("--call-timeout is a number of seconds.");
}

/** The values of an option that takes several, with commas. */
export function listOf(given: Arguments, option: string): readonly string[] {
  const text = given.text(option);
  return text === undefined ? [] : text.split(",").map((each) => each.trim());
}

/** @throws UsageError for a value that is not HOST:PORT. */
export function listenOf(given: Arguments): { readonly host: string; readonly port: number } {
  const [, host, port] =
    /^(\[[\da-f:]+\]|[\w.-]+):(\d{1,5})$/i.exec(given.text("listen") ?? "") ?? [];
  if (host === undefined || Number(port) > 65_535) {
    throw new UsageError("--listen takes HOST:PORT, such as 127.0.0.1:8123.");
  }
  return { host, port: Number(port) };
}

/**
 * The header with the upstream's credential. A command line can be read by every user of a machine, an environment cannot.
 *
 * @throws UsageError where the variable is not set, or cannot stand in a header.
 */
export function credentialOf(
  given: Arguments,
  environment: Readonly<Record<string, string | undefined>>,
): Readonly<Record<string, string>> {
  const variable = given.text("credential-env");
  if (variable === undefined) return {};
  const value = environment[variable];
  if (value === undefined || !/^[\x21-\x7e]+( [\x21-\x7e]+)*$/.test(value)) {
    throw new UsageError("--credential-env names a variable that holds no credential.");
  }
  const header = given.text("credential-header");
  if (header === undefined) return { authorization: `Bearer ${value}` };
  if (/^[\w-]+$/.test(header)) return { [header.toLowerCase()]: value };
  throw new UsageError("--credential-header is the name of a header.");
}
