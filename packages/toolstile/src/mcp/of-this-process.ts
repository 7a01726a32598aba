import { onSignalOfProcess } from "../terminal/signals.js";
import { mcpCommand } from "./mcp.js";

/** `toolstile mcp`, of the process that runs it. */
export const mcp = mcpCommand({
  input: () => process.stdin,
  output: () => process.stdout,
  onSignal: onSignalOfProcess,
});
