import { mcpCommand } from "./mcp.js";

const signals: readonly NodeJS.Signals[] = ["SIGINT", "SIGTERM", "SIGHUP"];

/** `toolstile mcp`, of the process that runs it. */
export const mcp = mcpCommand({
  input: () => process.stdin,
  output: () => process.stdout,
  onSignal(heard) {
    for (const signal of signals) process.on(signal, heard);
    return () => {
      for (const signal of signals) process.removeListener(signal, heard);
    };
  },
});
