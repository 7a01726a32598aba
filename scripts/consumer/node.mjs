import { execFile } from "node:child_process";
import { delimiter } from "node:path";
import { root } from "../processes.mjs";

/**
 * @typedef {object} Run How a program ended, and what it printed.
 * @property {string} ended `exit code 0`, or what else became of it.
 * @property {string} stdout
 * @property {string} stderr
 */

/**
 * Run Node, to a deadline.
 *
 * @param {readonly string[]} arguments_
 * @param {{ cwd: string, env: NodeJS.ProcessEnv, timeout: number, node?: string }} options Milliseconds, and another Node than this.
 * @returns {Promise<Run>}
 */
export function runNode(arguments_, { node = process.execPath, ...options }) {
  return new Promise((resolve) => {
    const settings = {
      ...options,
      maxBuffer: 1 << 26,
      killSignal: /** @type {const} */ ("SIGKILL"),
    };
    const child = execFile(node, arguments_, settings, (error, stdout, stderr) => {
      const code = error === null ? 0 : error.code;
      const late = `no end within ${options.timeout / 1000} s`;
      const killed = error?.killed ? late : `killed by ${error?.signal}`;
      const ended = typeof code === "number" ? `exit code ${code}` : (code ?? killed);
      resolve({ ended, stdout, stderr });
    });
    child.stdin?.end();
  });
}

/** This environment as seen from outside the repository, where nothing loads from inside it. */
export function environmentOutside() {
  const { NODE_PATH: _, ...environment } = process.env;
  const paths = (environment.PATH ?? "").split(delimiter).filter((path) => !path.startsWith(root));
  const guard = new URL("outside.mjs", import.meta.url).href;
  return { ...environment, PATH: paths.join(delimiter), NODE_OPTIONS: `--import=${guard}` };
}

/** This environment as it is, but for options of Node that only this process was given. */
export function environmentInside() {
  return { ...process.env, NODE_OPTIONS: "" };
}
