import { guardingOptions, type ToolRunnerOptions, ToolstileError } from "@toolstile/core";
import type { DefinitionPins } from "../pins/definition-pins.js";
import type { Describe } from "./host-facts.js";

export interface GuardedConnectionOptions extends Omit<ToolRunnerOptions, "tools" | "aliases"> {
  /** Keeps two servers' equal tool names apart: `context.attributes.mcpServer`, and the name that pins are kept under. */
  readonly serverName?: string | undefined;
  /** What the host knows of a call. It answers at once with a plain object; anything else, or a throw, denies the call. */
  readonly describe?: Describe | undefined;
  /** Milliseconds that the server may take for a call. Progress does not extend it. Default 60,000. */
  readonly callTimeoutMs?: number | undefined;
  /** Withholds tools whose definitions have changed. Needs a `serverName`. */
  readonly pins?: DefinitionPins | undefined;
  /** Leave tools off the list that a guard refuses whatever the arguments. A courtesy: the check at the call decides. Default true. */
  readonly hideDenied?: boolean | undefined;
}

export const connectionOptions: readonly string[] = [
  ...guardingOptions,
  "serverName",
  "describe",
  "callTimeoutMs",
  "pins",
  "hideDenied",
];

/** @throws ToolstileError `ERR_INVALID_OPTION` that names the option and what it must be. */
export function checkOptionValues({
  serverName,
  pins,
  describe,
  hideDenied,
  callTimeoutMs = 1,
}: GuardedConnectionOptions): void {
  const refuse = (message: string): never => {
    throw new ToolstileError("ERR_INVALID_OPTION", message);
  };
  if (serverName !== undefined && (typeof serverName !== "string" || serverName === "")) {
    refuse("serverName is a text that is not empty.");
  }
  if (pins !== undefined && serverName === undefined) {
    refuse("pins are kept by the server's name: give a serverName, too.");
  }
  if (describe !== undefined && typeof describe !== "function") refuse("describe is a function.");
  if (hideDenied !== undefined && typeof hideDenied !== "boolean") {
    refuse("hideDenied is true or false.");
  }
  if (typeof callTimeoutMs !== "number" || !(callTimeoutMs > 0 && callTimeoutMs < 2 ** 31)) {
    refuse("callTimeoutMs is a number of milliseconds above 0, and less than 2^31.");
  }
}
