import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { connect, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { RedisClient } from "./redis-clients.js";

/** A server of the test's own, to be killed and stopped. */
export interface OwnRedis {
  readonly url: string;
  readonly signal: (signal: NodeJS.Signals) => void;
  /** Kill it and wait until it is gone. */
  readonly kill: () => Promise<void>;
  /** Start it anew on its port, with nothing in it. */
  readonly start: (...options: string[]) => Promise<void>;
  readonly remove: () => Promise<void>;
}

export const hasRedisServer = isInstalled();

/** Any server to count on: the one that is named, the machine's own, or one that is started for it. */
export async function someRedis(): Promise<
  { url: string; remove: () => Promise<void> } | undefined
> {
  const named = process.env.REDIS_URL;
  if (named !== undefined) return { url: named, remove: async () => {} };
  if (await listens(6379)) return { url: "redis://127.0.0.1:6379", remove: async () => {} };
  return hasRedisServer ? await ownRedis() : undefined;
}

export async function ownRedis(): Promise<OwnRedis> {
  const port = await freePort();
  const folder = mkdtempSync(join(tmpdir(), "toolstile-redis-"));
  let child: ChildProcess;
  const start = async (...options: string[]): Promise<void> => {
    const fixed = ["--save", "", "--appendonly", "no", "--enable-debug-command", "yes"];
    const where = ["--port", String(port), "--bind", "127.0.0.1", "--dir", folder];
    child = spawn("redis-server", [...where, ...fixed, ...options], { stdio: "ignore" });
    while (!(await listens(port))) {
      if (child.exitCode !== null) throw new Error(`redis-server ended with ${child.exitCode}.`);
    }
  };
  const kill = async (): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const gone = new Promise((resolve) => child.once("exit", resolve));
    child.kill("SIGKILL");
    await gone;
  };
  await start();
  return {
    url: `redis://127.0.0.1:${port}`,
    signal: (signal) => void child.kill(signal),
    kill,
    start,
    remove: async () => {
      await kill();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** A prefix that no other test has. */
export function ownPrefix(): string {
  return `toolstile-test:${randomBytes(8).toString("hex")}`;
}

/** Remove what a test left on a server that is not its own. */
export async function removeAll(client: RedisClient, prefix: string): Promise<void> {
  const script =
    "for _, k in ipairs(redis.call('KEYS', ARGV[1])) do redis.call('DEL', k) end return 1";
  await client.run(script, [], [`${prefix}*`]);
}

function isInstalled(): boolean {
  try {
    execFileSync("redis-server", ["--version"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

function listens(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    socket.once("connect", () => socket.write("PING\r\n"));
    socket.once("data", (data) => {
      socket.destroy();
      resolve(/^(\+PONG|-LOADING)/.test(data.toString()));
    });
    socket.once("error", () => resolve(false));
    socket.once("close", () => resolve(false));
  });
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      const port = address !== null && typeof address === "object" ? address.port : 0;
      server.close(() => resolve(port));
    });
  });
}
