import { readFileSync } from "node:fs";
import { didYouMean, quoted } from "@toolstile/core";
import { approvals } from "./approvals/of-this-process.js";
import { audit } from "./audit/audit.js";
import { check } from "./check/check.js";
import { type Command, exitCodes } from "./command.js";
import { UsageError } from "./command-line.js";
import { demo } from "./demo/demo.js";
import { complaint, isExplained } from "./file-error.js";
import { mcp } from "./mcp/of-this-process.js";
import { replay } from "./replay/replay.js";
import type { Terminal } from "./terminal.js";
import { verifyAuditLog } from "./verify.js";

const commands: readonly Command[] = [demo, check, replay, verifyAuditLog, audit, approvals, mcp];

const help = `Usage: toolstile COMMAND [ARGUMENT…]

Guardrails between an AI agent's tool call and the tool.

Commands:
${commands.map(({ name, summary }) => `  ${name.padEnd(11)}${summary}\n`).join("")}
Options:
  --help     this text; after a command, that command's
  --version  the version of toolstile

Example:
  toolstile replay conversations.jsonl
`;

/** Do what the command line asks, and give the exit code. */
export async function main(argv: readonly string[], terminal: Terminal): Promise<number> {
  const [first, ...rest] = argv;
  if (first === undefined) {
    terminal.err.write(help);
    return exitCodes.usage;
  }
  if (first === "--version") {
    terminal.out.write(`${version()}\n`);
    return exitCodes.ok;
  }
  if (first === "--help" || first === "-h" || first === "help") {
    return first === "help" && rest.length > 0
      ? main([...rest.slice(0, 1), "--help"], terminal)
      : print(help, terminal);
  }
  const command = commands.find(({ name }) => name === first);
  if (command === undefined) return complain(unknown(first), "toolstile", terminal);
  if (asksForHelp(rest)) return print(command.help, terminal);
  try {
    return await command.run(rest, terminal);
  } catch (error) {
    if (error instanceof UsageError) {
      return complain(error.message, `toolstile ${command.name}`, terminal);
    }
    if (!isExplained(error)) throw error;
    const path = "path" in error ? String(error.path) : `toolstile ${command.name}`;
    terminal.err.write(complaint(path, error));
    return exitCodes.broken;
  }
}

function asksForHelp(argv: readonly string[]): boolean {
  const end = argv.indexOf("--");
  const options = end === -1 ? argv : argv.slice(0, end);
  return options.includes("--help") || options.includes("-h");
}

function print(text: string, terminal: Terminal): number {
  terminal.out.write(text);
  return exitCodes.ok;
}

function complain(message: string, asked: string, terminal: Terminal): number {
  terminal.err.write(`${message}\nTry: ${asked} --help\n`);
  return exitCodes.usage;
}

function unknown(first: string): string {
  const kind = first.startsWith("-") ? "option" : "command";
  const names = [...commands.map(({ name }) => name), "help", "--help", "--version"];
  return `There is no ${kind} ${quoted(first)}.${didYouMean(first, names)}`;
}

function version(): string {
  const manifest: unknown = JSON.parse(
    readFileSync(new URL("../package.json", import.meta.url), "utf8"),
  );
  return (manifest as { version: string }).version;
}
