import { constants } from "node:os";
import { ToolstileError } from "@toolstile/core/provider";
import { nameOfCommand, type StdioProxy, startStdioProxy } from "@toolstile/mcp/proxy";
import type { Arguments } from "../terminal/command-line.js";
import { reasonOf } from "../terminal/file-error.js";
import type { Terminal } from "../terminal/terminal.js";
import type { ProxyHost } from "./host.js";
import { announce, type Policy } from "./policy.js";

/** The exit code of shells for a command that could not be started. */
const notStarted = 127;

/** Starts the server, and returns its exit code once it has ended. */
export async function runStdio(
  [command = "", ...args]: readonly string[],
  given: Arguments,
  policy: Policy,
  terminal: Terminal,
  host: ProxyHost,
): Promise<number> {
  const serverName = given.text("name") ?? nameOfCommand(command, args);
  announce(policy, [`server:  ${serverName}, over stdio`], terminal);
  let proxy: StdioProxy;
  try {
    proxy = await startStdioProxy({
      ...policy.options,
      serverName,
      command,
      args,
      input: host.input(),
      output: host.output(),
    });
  } catch (error) {
    if (!ToolstileError.isInstance(error) || error.code !== "ERR_CONFIG") throw error;
    terminal.err.write(`toolstile mcp: ${reasonOf(error)}\n`);
    return notStarted;
  }
  const stopListening = host.onSignal((signal) => proxy.kill(signal));
  const { code, signal } = await proxy.exited;
  stopListening();
  return signal === null ? (code ?? 1) : 128 + constants.signals[signal];
}
