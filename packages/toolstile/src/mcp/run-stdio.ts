import { constants } from "node:os";
import { ToolstileError } from "@toolstile/core";
import { nameOfCommand, type StdioProxy, startStdioProxy } from "@toolstile/mcp/proxy";
import type { Arguments } from "../command-line.js";
import { reasonOf } from "../file-error.js";
import type { Terminal } from "../terminal.js";
import { announce, type Policy } from "./policy.js";
import type { Surroundings } from "./surroundings.js";

/** As shells say that a command could not be started. */
const notStarted = 127;

/** Start the server and stay until it has ended. Gives its exit code. */
export async function runStdio(
  [command = "", ...args]: readonly string[],
  given: Arguments,
  policy: Policy,
  terminal: Terminal,
  surroundings: Surroundings,
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
      input: surroundings.input(),
      output: surroundings.output(),
    });
  } catch (error) {
    if (!ToolstileError.isInstance(error) || error.code !== "ERR_CONFIG") throw error;
    terminal.err.write(`toolstile mcp: ${reasonOf(error)}\n`);
    return notStarted;
  }
  const deaf = surroundings.onSignal((signal) => proxy.kill(signal));
  const { code, signal } = await proxy.exited;
  deaf();
  return signal === null ? (code ?? 1) : 128 + constants.signals[signal];
}
