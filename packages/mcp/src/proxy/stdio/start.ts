import { randomUUID } from "node:crypto";
import type { Readable, Writable } from "node:stream";
import {
  list,
  nonEmptyText,
  type OptionTable,
  object,
  readOptions,
  required,
  systemClock,
  text,
} from "@toolstile/core/provider";
import { type ProxyOptions, proxyTable, sessionSettings } from "../options.js";
import { nameOfCommand } from "../server-name.js";
import { type StdioProxy, startServer } from "./server-process.js";

export interface StdioProxyOptions extends ProxyOptions {
  /** The MCP server's program. It is started without a shell. */
  readonly command: string;
  readonly args?: readonly string[] | undefined;
  /** The server's environment. Default this process's. */
  readonly env?: NodeJS.ProcessEnv | undefined;
  readonly cwd?: string | undefined;
  /** The stream that the client writes to. Default the standard input. */
  readonly input?: Readable | undefined;
  /** The stream that the client reads from; nothing else may be written to it. Default the standard output. */
  readonly output?: Writable | undefined;
}

const stdioTable = {
  ...proxyTable,
  command: required(nonEmptyText("the program to start")),
  args: list(text(), "an array of strings").default([]),
  env: object<NodeJS.ProcessEnv>(),
  cwd: text(),
  input: object<Readable>("a stream to read from"),
  output: object<Writable>("a stream to write to"),
} satisfies OptionTable<StdioProxyOptions>;

/**
 * Start an MCP server over stdio, with guards between it and the client at this process's own stdio.
 *
 * Resolves once the server runs; `exited` settles when it has ended. Messages
 * that guards need not judge are passed on byte for byte.
 *
 * @throws ToolstileError for options that are not valid, and `ERR_CONFIG` if the server cannot be started.
 */
export async function startStdioProxy(options: StdioProxyOptions): Promise<StdioProxy> {
  const given = readOptions("startStdioProxy()", options, stdioTable);
  const { command, args, env, cwd, input, output, ...proxied } = given;
  const client = { input: input ?? process.stdin, output: output ?? process.stdout };
  const settings = sessionSettings(proxied, nameOfCommand(command, args));
  const times = { clock: given.clock ?? systemClock, answerMs: given.callTimeoutMs };
  const relaying = { ...settings, sessionId: randomUUID(), client };
  return startServer({ command, args, env, cwd }, relaying, times);
}
