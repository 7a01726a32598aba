import { caseOf } from "./cases.mjs";
import { classes, explains } from "./classes.mjs";
import { difference } from "./compare.mjs";
import { ModelStub } from "./model-stub.mjs";
import { ours } from "./ours.mjs";
import { Theirs } from "./theirs.mjs";

/** @typedef {import("./cases.mjs").Case} Case */
/** @typedef {import("./ours.mjs").Came} Came */

/**
 * What came of one case on both sides.
 *
 * @typedef {object} Pair
 * @property {Case} given
 * @property {Came} theirs
 * @property {Came} ours
 * @property {string | undefined} difference
 */

/**
 * A case, and why both sides differ in it.
 *
 * @typedef {object} Explained
 * @property {Pair} pair
 * @property {readonly string[]} because The classes of its differences, in the order in which they were taken out; empty where both are the same.
 * @property {Pair | undefined} left What is left without them, if both still differ.
 * @property {readonly Pair[]} steps What came of the case without the cause of each class, in that order.
 */

/** A case has at most so many differences of different classes. */
const mostDifferences = 8;
/** So many cases run at once. Python takes one after the other. */
const together = 8;

/** Runs cases on both sides. */
export class Differential {
  #stub = new ModelStub();
  #theirs;

  /** @param {string} python */
  constructor(python) {
    this.#theirs = new Theirs(python);
  }

  start() {
    return this.#stub.listen();
  }

  /** @param {Case} given @returns {Promise<Pair>} */
  async pair(given) {
    const [theirs, here] = await Promise.all([
      this.#on("theirs", given, (placed) => this.#theirs.ask(placed)),
      this.#on("ours", given, ours),
    ]);
    return { given, theirs, ours: here, difference: difference(given, theirs, here) };
  }

  /** @param {string} side @param {Case} given @param {(placed: Case) => Promise<Came>} run @returns {Promise<Came>} */
  async #on(side, given, run) {
    this.#stub.play(side, given.id, given.script);
    const base = this.#stub.base(side, given.id);
    const came = await run(JSON.parse(JSON.stringify(given).replaceAll("@BASE@", base)));
    return { ...came, asked: this.#stub.askedIn(side, given.id) };
  }

  /**
   * Runs a case. As long as both sides differ, it is run again without what the first class that fits says is the cause:
   * both are then the same, or another class fits, or it is not explained.
   *
   * @param {Case} given
   * @returns {Promise<Explained>}
   */
  async explain(given) {
    const pair = await this.pair(given);
    /** @type {string[]} */
    const because = [];
    /** @type {Pair[]} */
    const steps = [];
    let left = pair;
    while (left.difference !== undefined && because.length < mostDifferences) {
      const found = classes.find((each) => !because.includes(each.name) && explains(each, left));
      if (found === undefined) break;
      because.push(found.name);
      const without = found.without(structuredClone(left.given), left);
      if (without === undefined) return { pair, because, left: undefined, steps };
      left = await this.pair({ ...without, id: `${given.id}~${because.length}` });
      steps.push(left);
    }
    return { pair, because, left: left.difference === undefined ? undefined : left, steps };
  }

  /** @param {readonly string[]} ids @param {(done: number) => void} tell @returns {Promise<Explained[]>} */
  async run(ids, tell) {
    /** @type {Explained[]} */
    const all = [];
    const waiting = [...ids.entries()];
    const work = async () => {
      for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
        const [index, id] = next;
        all[index] = await this.explain(caseOf(id));
        tell(++done);
      }
    };
    let done = 0;
    await Promise.all(Array.from({ length: together }, work));
    return all;
  }

  close() {
    this.#theirs.close();
    this.#stub.close();
  }
}
