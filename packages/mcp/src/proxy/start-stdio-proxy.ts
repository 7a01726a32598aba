import { randomUUID } from "node:crypto";
import type { Readable, Writable } from "node:stream";
import { checkOptions, ToolstileError } from "@toolstile/core";
import {
  checkedCount,
  defaultMessageBytes,
  guardedBy,
  type ProxyOptions,
  proxyOptions,
} from "./guard.js";
import { quietly } from "./refusals.js";
import { nameOfCommand } from "./server-name.js";
import { type StdioProxy, startStdio } from "./stdio-proxy.js";

export interface StdioProxyOptions extends ProxyOptions {
  /** The MCP server's program. No shell reads it. */
  readonly command: string;
  readonly args?: readonly string[] | undefined;
  /** The server's environment. Default this process's. */
  readonly env?: NodeJS.ProcessEnv | undefined;
  readonly cwd?: string | undefined;
  /** Where the client writes. Default the standard input. */
  readonly input?: Readable | undefined;
  /** Where the client reads; nothing else may be written there. Default the standard output. */
  readonly output?: Writable | undefined;
}

const known = [...proxyOptions, "command", "args", "env", "cwd", "input", "output"];

/**
 * Start an MCP server over stdio, with guards between it and the client at this process's own stdio.
 *
 * Resolves once the server runs; `exited` says how it ended. What the guards
 * need not judge is passed on byte for byte.
 *
 * @throws ToolstileError for options that do not hold, and `ERR_CONFIG` where the server cannot be started.
 */
export async function startStdioProxy(options: StdioProxyOptions): Promise<StdioProxy> {
  checkOptions("startStdioProxy()", options, known);
  const { command, args = [], env, cwd, input = process.stdin, output = process.stdout } = options;
  if (typeof command !== "string" || command === "") {
    throw new ToolstileError("ERR_INVALID_OPTION", "command is the program to start.");
  }
  const { serverName = nameOfCommand(command, args) } = options;
  const onRefused = quietly(options.onRefused);
  const maxMessageBytes = checkedCount(
    "maxMessageBytes",
    options.maxMessageBytes ?? defaultMessageBytes,
  );
  const connect = guardedBy(options, serverName);
  return startStdio(
    { command, args, env, cwd },
    { connect, sessionId: randomUUID(), client: { input, output }, maxMessageBytes, onRefused },
  );
}
