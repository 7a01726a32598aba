import { type ChildProcessByStdio, spawn } from "node:child_process";
import type { Readable, Writable } from "node:stream";
import type { Clock } from "@toolstile/core";
import { ToolstileError, valueWithin } from "@toolstile/core/provider";

/** Milliseconds that a server has to end by itself, and again after SIGTERM. */
const graceMs = 1_500;
/** Characters of the standard error that are kept, to say why a server ended. */
const keptCharacters = 2_000;

/** An MCP server that was started to be asked something, and is ended afterwards. */
export class ServerProcess {
  readonly #child: ChildProcessByStdio<Writable, Readable, Readable>;
  readonly #clock: Clock;
  readonly #ended: Promise<void>;
  #hasEnded = false;
  #said = "";

  private constructor(child: ChildProcessByStdio<Writable, Readable, Readable>, clock: Clock) {
    this.#child = child;
    this.#clock = clock;
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      this.#said = (this.#said + text).slice(-keptCharacters);
    });
    // The end of the process says the same.
    child.stdin.on("error", () => {});
    this.#ended = new Promise((resolve) => {
      child.once("exit", () => {
        this.#hasEnded = true;
        resolve();
      });
    });
  }

  /** Starts the server without a shell. @throws ToolstileError `ERR_CONFIG` if it cannot be started. */
  static async start(
    [command = "", ...args]: readonly string[],
    clock: Clock,
  ): Promise<ServerProcess> {
    const child = spawn(command, args, {
      stdio: ["pipe", "pipe", "pipe"],
      shell: false,
      windowsHide: true,
      // A group of its own: npx and the like start the server as a process of theirs.
      detached: process.platform !== "win32",
    });
    await new Promise<void>((resolve, reject) => {
      child.once("spawn", resolve);
      child.once("error", (error: NodeJS.ErrnoException) => {
        const why =
          error.code === "ENOENT"
            ? "the command was not found"
            : `the system reports ${String(error.code)}`;
        reject(new ToolstileError("ERR_CONFIG", `The MCP server cannot be started: ${why}.`));
      });
    });
    return new ServerProcess(child, clock);
  }

  get output(): Readable {
    return this.#child.stdout;
  }

  /** The last that it wrote to its standard error. */
  get said(): string {
    return this.#said;
  }

  send(message: object): void {
    this.#child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  }

  /** Ends the server: first it has the end of its input, then a signal, then one that it cannot ignore. */
  async end(): Promise<void> {
    this.#child.stdin.end();
    this.#child.stdout.resume();
    await this.#endedWithin(graceMs);
    if (!this.#hasEnded) {
      this.signal("SIGTERM");
      await this.#endedWithin(graceMs);
    }
    // Also what the server has started, and left behind.
    this.signal("SIGKILL");
    await this.#endedWithin(graceMs);
    this.#child.stdout.destroy();
    this.#child.stderr.destroy();
  }

  signal(signal: NodeJS.Signals): void {
    const { pid } = this.#child;
    if (pid === undefined) return;
    try {
      if (process.platform === "win32") this.#child.kill(signal);
      else process.kill(-pid, signal);
    } catch {
      // Nobody of the group is there any more.
    }
  }

  async #endedWithin(milliseconds: number): Promise<void> {
    const bounds = { clock: this.#clock, timeoutMs: milliseconds, caller: undefined };
    await valueWithin(bounds, this.#ended, () => {});
  }
}
