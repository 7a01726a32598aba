import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";

/** A program that reads this ends with the one that started it, however that one ends. */
const endWithParent =
  'data:text/javascript,process.stdin.on("end",()=>process.exit(1)).resume().unref()';
/** @type {Set<import("node:child_process").ChildProcess>} */
const running = new Set();
process.once("exit", () => {
  for (const child of running) child.kill("SIGKILL");
});
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.once(signal, () => process.exit(1));

/** @typedef {{ url: string, end(): Promise<void> }} Started */

/**
 * Start a program that serves, and wait for the address that it prints.
 *
 * @param {readonly string[]} args of Node.
 * @returns {Promise<Started>}
 */
export async function startServing(args) {
  const child = start(process.execPath, args);
  /** @type {string[]} */
  const said = [];
  const ended = once(child, "close");
  const url = new Promise((resolve) => {
    for (const stream of [child.stdout, child.stderr]) {
      createInterface({ input: stream }).on("line", (line) => {
        said.push(line);
        const [address] = /http:\/\/127\.0\.0\.1:\d+\/mcp$/.exec(line) ?? [];
        if (address !== undefined) resolve(address);
      });
    }
  });
  const late = setTimeout(() => child.kill("SIGKILL"), 15_000);
  const address = await Promise.race([url, ended.then(() => undefined)]);
  clearTimeout(late);
  if (address === undefined)
    throw new Error(`${args.join(" ")} does not serve:\n${said.join("\n")}`);
  return {
    url: address,
    async end() {
      child.kill("SIGKILL");
      await ended;
    },
  };
}

/**
 * Run a program to its end. What it said, if it did not end in time.
 *
 * @param {string} node
 * @param {readonly string[]} args
 * @param {{ cwd: string, timeoutMs: number }} options
 * @returns {Promise<{ code: number | null, said: string }>} `code` is null if it was killed.
 */
export async function runToEnd(node, args, { cwd, timeoutMs }) {
  const child = start(node, args, cwd);
  let said = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (piece) => {
      said = (said + piece).slice(-4_000);
    });
  }
  const late = setTimeout(() => child.kill("SIGKILL"), timeoutMs);
  const [code] = await once(child, "close");
  clearTimeout(late);
  return { code, said };
}

/**
 * @param {string} node
 * @param {readonly string[]} args
 * @param {string} [cwd]
 */
function start(node, args, cwd) {
  const child = spawn(node, ["--import", endWithParent, ...args], { cwd, stdio: "pipe" });
  running.add(child);
  child.once("close", () => running.delete(child));
  return child;
}
