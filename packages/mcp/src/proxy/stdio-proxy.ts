import { type ChildProcessByStdio, spawn } from "node:child_process";
import { once } from "node:events";
import type { Readable, Writable } from "node:stream";
import { ToolstileError } from "@toolstile/core";
import { StdioPump, type StdioPumpOptions } from "./stdio-pump.js";

export interface StdioUpstream {
  /** Started without a shell. */
  readonly command: string;
  readonly args: readonly string[];
  readonly env?: NodeJS.ProcessEnv | undefined;
  readonly cwd?: string | undefined;
}

/** How the upstream ended. */
export interface StdioExit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

export interface StdioProxy {
  readonly pid: number;
  /** Settled once the upstream has ended and the client has all that it said. */
  readonly exited: Promise<StdioExit>;
  /** Passes a signal on. One that ends programs is followed by SIGKILL, 1.5 seconds later. */
  kill(signal: NodeJS.Signals): void;
}

/** Before clients of the official SDK kill this process, which would leave the upstream behind. */
const killAfterMs = 1_500;
const ending: ReadonlySet<NodeJS.Signals> = new Set(["SIGTERM", "SIGINT", "SIGHUP"]);

/** @throws ToolstileError `ERR_CONFIG` where the command cannot be started. */
export async function startStdio(
  upstream: StdioUpstream,
  options: Omit<StdioPumpOptions, "server">,
): Promise<StdioProxy> {
  const child = await started(upstream);
  const { client } = options;
  const pump = new StdioPump({
    ...options,
    server: { input: child.stdin, output: child.stdout },
  });
  const timers = new Set<NodeJS.Timeout>();
  const later = (signal: NodeJS.Signals): void => {
    timers.add(setTimeout(() => kill(signal), killAfterMs));
  };
  const kill = (signal: NodeJS.Signals): void => {
    // It has ended, and only its last words wait for a reader, or a process of its own holds its output open.
    if (child.exitCode !== null || child.signalCode !== null) {
      client.output.destroy();
      child.stdout.destroy();
    }
    child.kill(signal);
    if (ending.has(signal) && timers.size < 2) later("SIGKILL");
  };
  // Its end is told by the process's.
  child.stdin.on("error", () => {});
  client.output.on("error", () => {
    // Nobody reads any more.
    child.stdin.end();
    if (timers.size === 0) later("SIGTERM");
  });
  const end = async (): Promise<StdioExit> => {
    const [code, signal] = (await once(child, "close")) as [number | null, NodeJS.Signals | null];
    for (const timer of timers) clearTimeout(timer);
    await pump.close();
    client.input.destroy();
    // Called once all is written, or cannot be.
    await new Promise<void>((resolve) => client.output.write("", () => resolve()));
    return { code, signal };
  };
  return { pid: child.pid as number, exited: end(), kill };
}

async function started(
  upstream: StdioUpstream,
): Promise<ChildProcessByStdio<Writable, Readable, null>> {
  const { command, args, env, cwd } = upstream;
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
    const why = code === "ENOENT" ? "there is no such command" : `it says ${code}`;
    throw new ToolstileError("ERR_CONFIG", `The MCP server cannot be started: ${why}.`);
  }
}
