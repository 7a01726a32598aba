import type { ToolRunnerOptions } from "@toolstile/core";
import { guardingTable } from "@toolstile/core/host";
import {
  boolean,
  func,
  invalidOption,
  list,
  nonEmptyText,
  type OptionReader,
  type OptionsOf,
  type OptionTable,
  such,
} from "@toolstile/core/provider";
import type { DefinitionPins } from "../pins/definition-pins.js";
import type { Describe } from "./host-facts.js";

export interface GuardedConnectionOptions extends Omit<ToolRunnerOptions, "tools" | "aliases"> {
  /** Keeps equal tool names of two servers apart: it is `context.attributes.mcpServer`, and pins are kept under it. */
  readonly serverName?: string | undefined;
  /** Gives what the host knows of a call, at once, as a plain object. Anything else, or a throw, denies the call. */
  readonly describe?: Describe | undefined;
  /** Milliseconds that the server may take for a call. Progress does not extend it. Default 60,000. */
  readonly callTimeoutMs?: number | undefined;
  /** Withholds tools whose definitions have changed. Needs a `serverName`. */
  readonly pins?: DefinitionPins | undefined;
  /** Leaves tools off the list that a guard denies whatever the arguments. A courtesy: the check at the call decides. Default true. */
  readonly hideDenied?: boolean | undefined;
  /** Methods besides MCP's own that pass, of either side. No guard judges them. Default none. */
  readonly passMethods?: readonly string[] | undefined;
}

/** Reads milliseconds that a timer can take. */
export function milliseconds(): OptionReader<number | undefined> {
  const is = (value: unknown): boolean => typeof value === "number" && value > 0 && value < 2 ** 31;
  return such(is, "a number of milliseconds above 0 and below 2^31");
}

export const connectionTable = {
  ...guardingTable,
  serverName: nonEmptyText(),
  describe: func<Describe>(),
  callTimeoutMs: milliseconds().default(60_000),
  pins: such<DefinitionPins>(isPins, "a DefinitionPins"),
  hideDenied: boolean().default(true),
  passMethods: list(nonEmptyText(), "an array of names of methods").default([]),
} satisfies OptionTable<GuardedConnectionOptions>;

export type ConnectionSettings = OptionsOf<typeof connectionTable>;

/** @throws ToolstileError `ERR_INVALID_OPTION` for pins that nothing could be kept under. */
export function requireServerName(where: string, { pins, serverName }: ConnectionSettings): void {
  if (pins === undefined || serverName !== undefined) return;
  throw invalidOption(where, "'pins' need a 'serverName', under which they are kept.");
}

function isPins(value: unknown): boolean {
  return typeof (value as Partial<DefinitionPins>).withheld === "function";
}
