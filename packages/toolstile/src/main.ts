import { readFileSync } from "node:fs";
import { type Command, exitCodes } from "./terminal/command.js";
import type { Terminal } from "./terminal/terminal.js";

interface ListedCommand {
  readonly name: string;
  /** One line for the list of commands. */
  readonly summary: string;
  /** Loads the text of its `--help`. */
  readonly loadHelp: () => Promise<{ readonly help: string }>;
  /** Loads the command, which needs packages that the others do not. */
  readonly load: () => Promise<Command>;
}

const commands: readonly ListedCommand[] = [
  {
    name: "demo",
    summary: "watch an agent being guarded, offline",
    loadHelp: () => import("./demo/help.js"),
    load: async () => (await import("./demo/demo.js")).demo,
  },
  {
    name: "init",
    summary: "write a first guard.yaml for the tools that there are",
    loadHelp: () => import("./init/help.js"),
    load: async () => (await import("./init/of-this-process.js")).init,
  },
  {
    name: "check",
    summary: "report the mistakes in a guard.yaml, and how it decides",
    loadHelp: () => import("./check/help.js"),
    load: async () => (await import("./check/check.js")).check,
  },
  {
    name: "replay",
    summary: "run recorded conversations through the guards",
    loadHelp: () => import("./replay/help.js"),
    load: async () => (await import("./replay/replay.js")).replay,
  },
  {
    name: "verify",
    summary: "check that an audit log was not changed",
    loadHelp: () => import("./verify/help.js"),
    load: async () => (await import("./verify/verify.js")).verifyAuditLog,
  },
  {
    name: "audit",
    summary: "list the calls of an audit log, or make a page of them",
    loadHelp: () => import("./audit/help.js"),
    load: async () => (await import("./audit/audit.js")).audit,
  },
  {
    name: "approvals",
    summary: "list and answer the tool calls that wait for a human",
    loadHelp: () => import("./approvals/help.js"),
    load: async () => (await import("./approvals/of-this-process.js")).approvals,
  },
  {
    name: "redact",
    summary: "mask secrets and personal data in what it reads",
    loadHelp: () => import("./redact/help.js"),
    load: async () => (await import("./redact/of-this-process.js")).redact,
  },
  {
    name: "mcp",
    summary: "put guards between an MCP client and a server",
    loadHelp: () => import("./mcp/help.js"),
    load: async () => (await import("./mcp/of-this-process.js")).mcp,
  },
];

const help = `Usage: toolstile COMMAND [ARGUMENT…]

Guardrails between an AI agent's tool call and the tool.

Commands:
${commands.map(({ name, summary }) => `  ${name.padEnd(11)}${summary}\n`).join("")}
Options:
  --help     print this text; after a command, the help of that command
  --version  print the version of toolstile

Example:
  toolstile replay conversations.jsonl
`;

/** Does what the command line asks, and returns the exit code. */
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
  const listed = commands.find(({ name }) => name === first);
  if (listed === undefined) return complain(await unknown(first), "toolstile", terminal);
  if (asksForHelp(rest)) return print((await listed.loadHelp()).help, terminal);
  try {
    return await (await listed.load()).run(rest, terminal);
  } catch (error) {
    return explain(error, `toolstile ${listed.name}`, terminal);
  }
}

/** @throws the error itself, if it is a fault of this program. */
async function explain(error: unknown, asked: string, terminal: Terminal): Promise<number> {
  const { UsageError } = await import("./terminal/command-line.js");
  const { complaint, isExplained } = await import("./terminal/file-error.js");
  if (error instanceof UsageError) return complain(error.message, asked, terminal);
  if (!isExplained(error)) throw error;
  const path = "path" in error ? String(error.path) : asked;
  terminal.err.write(complaint(path, error));
  return exitCodes.broken;
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

async function complain(message: string, asked: string, terminal: Terminal): Promise<number> {
  const { printable } = await import("./terminal/terminal.js");
  const lines = message.split("\n").map((line) => `${printable(line)}\n`);
  terminal.err.write(`${lines.join("")}Try: ${asked} --help\n`);
  return exitCodes.usage;
}

async function unknown(first: string): Promise<string> {
  const { didYouMean, quoted } = await import("@toolstile/core/provider");
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
