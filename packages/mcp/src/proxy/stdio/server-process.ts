import { type ChildProcessByStdio, spawn } from "node:child_process";
import { once } from "node:events";
import type { Readable, Writable } from "node:stream";
import { ToolstileError } from "@toolstile/core";
import type { Timers } from "../../connection/timers.js";
import { StdioRelay, type StdioRelayOptions } from "./relay.js";

/** The program of an MCP server. It is started without a shell. */
export interface ServerCommand {
  readonly command: string;
  readonly args: readonly string[];
  readonly env?: NodeJS.ProcessEnv | undefined;
  readonly cwd?: string | undefined;
}

/** The end of the server's process. */
export interface StdioExit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

export interface StdioProxy {
  readonly pid: number;
  /** Settles once the server has ended and the client has all that it wrote. */
  readonly exited: Promise<StdioExit>;
  /** Passes a signal on to the server. One that ends programs is followed by SIGKILL, 1.5 seconds later. */
  kill(signal: NodeJS.Signals): void;
}

/** Less than clients of the official SDK wait before they kill this process, which would leave the server running. */
const killAfterMs = 1_500;
/** The most signals that are still to come, however often a client's end is noticed. */
const mostTimers = 4;
const ending: ReadonlySet<NodeJS.Signals> = new Set(["SIGTERM", "SIGINT", "SIGHUP"]);

/** The times after which a server is ended that does not end by itself. */
export interface ServerTimes {
  readonly clock: Timers;
  /** Milliseconds that the server may take for what its client, which has ended its input, still waits for. */
  readonly answerMs: number;
}

/**
 * Starts the server with a relay around it.
 *
 * A server that goes on after its client has gone is ended: first it has the
 * end of its input, then a signal.
 *
 * @throws ToolstileError `ERR_CONFIG` if the command cannot be started.
 */
export async function startServer(
  command: ServerCommand,
  options: Omit<StdioRelayOptions, "server" | "onClientEnded">,
  { clock, answerMs }: ServerTimes,
): Promise<StdioProxy> {
  const child = await started(command);
  const { client } = options;
  const relay = new StdioRelay({
    ...options,
    server: { input: child.stdin, output: child.stdout },
    onClientEnded: (isWaiting) =>
      later("SIGTERM", isWaiting ? answerMs + killAfterMs : killAfterMs),
  });
  const timers = new Set<unknown>();
  let hasEnded = false;
  const later = (signal: NodeJS.Signals, milliseconds = killAfterMs): void => {
    if (!hasEnded) timers.add(clock.setTimeout(() => kill(signal), milliseconds));
  };
  const kill = (signal: NodeJS.Signals): void => {
    // The server has ended. Its last output waits for a reader, or a process that it started holds its output open.
    if (child.exitCode !== null || child.signalCode !== null) {
      client.output.destroy();
      child.stdout.destroy();
    }
    child.kill(signal);
    if (ending.has(signal) && timers.size < mostTimers) later("SIGKILL");
  };
  // The process's end says the same.
  child.stdin.on("error", () => {});
  client.output.on("error", () => {
    // The client does not read any more.
    child.stdin.end();
    if (timers.size === 0) later("SIGTERM");
  });
  const end = async (): Promise<StdioExit> => {
    const [code, signal] = (await once(child, "close")) as [number | null, NodeJS.Signals | null];
    hasEnded = true;
    for (const timer of timers) clock.clearTimeout(timer as never);
    await relay.close();
    client.input.destroy();
    // The callback comes once all is written, or cannot be.
    await new Promise<void>((resolve) => client.output.write("", () => resolve()));
    return { code, signal };
  };
  return { pid: child.pid as number, exited: end(), kill };
}

async function started({
  command,
  args,
  env,
  cwd,
}: ServerCommand): Promise<ChildProcessByStdio<Writable, Readable, null>> {
  const child = spawn(command, args, {
    stdio: ["pipe", "pipe", "inherit"],
    shell: false,
    windowsHide: true,
    ...(env !== undefined && { env }),
    ...(cwd !== undefined && { cwd }),
  });
  try {
    await once(child, "spawn");
    return child;
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "unknown";
    const why = code === "ENOENT" ? "the command was not found" : `the system reports ${code}`;
    throw new ToolstileError("ERR_CONFIG", `The MCP server cannot be started: ${why}.`);
  }
}
