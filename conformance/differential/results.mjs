import { familyOf } from "./cases.mjs";
import { classes } from "./classes.mjs";
import { isPassedHere } from "./compare.mjs";

/** @typedef {import("./run.mjs").Explained} Explained */

/**
 * @typedef {object} Family
 * @property {string} name
 * @property {number} cases
 * @property {number} same Both sides are the same at once.
 * @property {number} explained They are without what classes say is the cause.
 * @property {Readonly<Record<string, number>>} outcomes By what came of them there and here.
 */

/**
 * What is blocked there and passes here, by why.
 *
 * @typedef {object} PassedHere
 * @property {readonly string[]} because
 * @property {number} cases
 * @property {number} failed So many of them are blocked there because a rail failed.
 */

/**
 * @typedef {object} Results
 * @property {number} cases
 * @property {readonly Family[]} families
 * @property {readonly { name: string, whose: string, reason: string, cases: number, example: string | undefined }[]} classes
 * @property {readonly PassedHere[]} passedHere
 * @property {readonly { id: string, difference: string | undefined, because: readonly string[], theirs: object, ours: object }[]} unexplained
 */

/** @typedef {Results & { seed: number, minutes: number, date: string, packages: Readonly<Record<string, string>> }} Run */

/** @param {readonly Explained[]} all @returns {Results} */
export function resultsOf(all) {
  const names = [...new Set(all.map(({ pair }) => familyOf(pair.given.id)))];
  return {
    cases: all.length,
    families: names.map((name) =>
      ofFamily(
        name,
        all.filter(({ pair }) => familyOf(pair.given.id) === name),
      ),
    ),
    classes: classes.map(({ name, whose, reason }) => {
      const own = all.filter(({ because }) => because.includes(name));
      return { name, whose, reason, cases: own.length, example: own[0]?.pair.given.id };
    }),
    passedHere: passedHere(all),
    unexplained: all.flatMap(({ pair, left, because }) => {
      if (left === undefined) return [];
      const { theirs, ours, difference } = left;
      const came = { theirs: { ...theirs, asked: undefined }, ours: { ...ours, asked: undefined } };
      return [{ id: pair.given.id, difference, because, ...came }];
    }),
  };
}

/** @param {string} name @param {readonly Explained[]} own @returns {Family} */
function ofFamily(name, own) {
  /** @type {Record<string, number>} */
  const outcomes = {};
  for (const { pair } of own) {
    const key = `${pair.theirs.outcome}, ${pair.ours.outcome}`;
    outcomes[key] = (outcomes[key] ?? 0) + 1;
  }
  return {
    name,
    cases: own.length,
    same: own.filter(({ pair }) => pair.difference === undefined).length,
    explained: own.filter(({ because, left }) => because.length > 0 && left === undefined).length,
    outcomes,
  };
}

/**
 * The cases that are not explained, or are blocked there and pass here, each with all that was given and came of it, and
 * what came of it without the causes of its difference.
 *
 * @param {readonly Explained[]} all
 */
export const shownOf = (all) =>
  all
    .filter(({ pair, left }) => left !== undefined || isPassedHere(pair))
    .map(({ because, pair, steps }) => ({
      because,
      ...pair,
      without: steps.map(({ given: { config, mode, messages, script }, ...came }) => ({
        given: { config, mode, messages, script },
        ...came,
      })),
    }));

/** @param {readonly Explained[]} all @returns {readonly PassedHere[]} */
function passedHere(all) {
  /** @type {Map<string, PassedHere>} */
  const found = new Map();
  for (const { pair, because } of all.filter((each) => isPassedHere(each.pair))) {
    const key = because.join();
    const { cases = 0, failed = 0 } = found.get(key) ?? {};
    found.set(key, { because, cases: cases + 1, failed: failed + (pair.theirs.failed ? 1 : 0) });
  }
  return [...found.values()].sort((one, other) => other.cases - one.cases);
}

/** @param {Run} results */
export function tableOf({ families, classes: found, passedHere: passed, unexplained, minutes }) {
  const lines = [
    ...families.map(
      ({ name, cases, same, explained }) =>
        `${name}: ${cases} cases, ${same} the same, ${explained} explained, ${cases - same - explained} not`,
    ),
    "",
    ...found
      .filter(({ cases }) => cases > 0)
      .map(({ name, cases, example }) => `${String(cases).padStart(6)}  ${name} (${example})`),
    "",
    "Blocked there and passed here:",
    ...passed.map(
      ({ because, cases, failed }) =>
        `${String(cases).padStart(6)}  ${because.join(", ")} (a rail failed there in ${failed})`,
    ),
    ...unexplained.map((each) => `not explained: ${JSON.stringify(each)}`),
    "",
    `${minutes.toFixed(1)} minutes`,
  ];
  return `${lines.join("\n")}\n`;
}
