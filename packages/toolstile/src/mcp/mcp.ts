import { ToolstileError } from "@toolstile/core/provider";
import { type Command, exitCodes } from "../terminal/command.js";
import { type Arguments, readArguments, UsageError } from "../terminal/command-line.js";
import { isExplained, reasonOf } from "../terminal/file-error.js";
import { printable, type Terminal } from "../terminal/terminal.js";
import type { ProxyHost } from "./host.js";
import { checkTogether, forms } from "./options.js";
import type { Policy } from "./policy.js";

/** `toolstile mcp`: guards between an MCP client and a server, and the pins of the server's tools. */
export function mcpCommand(host: ProxyHost): Command {
  return {
    run: async (argv, terminal) => {
      if (argv[0] === "pins") {
        const { pinsCommand } = await import("./pins.js");
        return pinsCommand(argv.slice(1), terminal, host);
      }
      const { own, command } = split(argv);
      const given = readArguments(own, forms);
      const [stray] = given.operands;
      if (stray !== undefined) throw new UsageError("Write the server's command after --.");
      checkTogether(given, command.length > 0);
      const policy = await opened(given, terminal);
      if (policy === undefined) return exitCodes.usage;
      try {
        if (given.has("listen")) {
          const { runHttp } = await import("./run-http.js");
          return await runHttp(given, policy, terminal, host);
        }
        const { runStdio } = await import("./run-stdio.js");
        return await runStdio(command, given, policy, terminal, host);
      } catch (error) {
        if (!ToolstileError.isInstance(error)) throw error;
        terminal.err.write(`toolstile mcp: ${reasonOf(error)}\n`);
        return exitCodes.usage;
      } finally {
        await policy.close();
      }
    },
  };
}

/** The command's own arguments, and the server's. */
function split(argv: readonly string[]): {
  readonly own: readonly string[];
  readonly command: readonly string[];
} {
  const end = argv.indexOf("--");
  if (end < 0) return { own: argv, command: [] };
  return { own: argv.slice(0, end), command: argv.slice(end + 1) };
}

/** Nothing where the guard.yaml or the pins cannot be used; then nothing is started. */
async function opened(given: Arguments, terminal: Terminal): Promise<Policy | undefined> {
  try {
    const { openPolicy } = await import("./policy.js");
    return await openPolicy(given, terminal);
  } catch (error) {
    if (!isExplained(error)) throw error;
    // What is wrong with a guard.yaml stands on a line each.
    const lines = ToolstileError.isInstance(error) ? error.message.split("\n") : [reasonOf(error)];
    for (const line of lines) terminal.err.write(`toolstile mcp: ${printable(line)}\n`);
    return undefined;
  }
}
