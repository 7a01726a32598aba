import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

/** @typedef {import("./cases.mjs").Case} Case */
/** @typedef {import("./ours.mjs").Came} Came */

/** The real engine, in one process of Python for all cases. */
export class Theirs {
  #process;
  /** @type {Map<string, (came: Came) => void>} */
  #waiting = new Map();
  #told = "";
  /** @type {Promise<never>} */
  #ended;

  /** @param {string} python */
  constructor(python) {
    const program = fileURLToPath(new URL("theirs.py", import.meta.url));
    this.#process = spawn(python, [program], { stdio: ["pipe", "pipe", "pipe"] });
    this.#process.stderr.on("data", (data) => {
      this.#told = `${this.#told}${data}`.slice(-4_000);
    });
    this.#process.stdin.on("error", () => {});
    this.#ended = new Promise((_, reject) => {
      this.#process.on("error", reject);
      this.#process.on("exit", (code) =>
        reject(new Error(`Python ended with ${code}.\n${this.#told}`)),
      );
    });
    this.#ended.catch(() => {});
    createInterface({ input: this.#process.stdout }).on("line", (line) => {
      const { id, ...came } = JSON.parse(line);
      this.#waiting.get(id)?.(came);
      this.#waiting.delete(id);
    });
  }

  /** @param {Case} given @returns {Promise<Came>} */
  ask(given) {
    const answered = new Promise((resolve) => this.#waiting.set(given.id, resolve));
    this.#process.stdin.write(`${JSON.stringify(given)}\n`);
    return Promise.race([answered, this.#ended]);
  }

  close() {
    this.#process.stdin.end();
  }
}
