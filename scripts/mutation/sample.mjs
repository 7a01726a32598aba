import { createHash } from "node:crypto";

/** @typedef {import("./mutants.mjs").Mutant} Mutant */

/**
 * Names each mutant by what it changes, and not by where that stands: the name lasts while other code changes.
 *
 * @param {readonly Mutant[]} mutants
 * @returns {string[]}
 */
export function namesOf(mutants) {
  /** @type {Map<string, number>} */
  const counts = new Map();
  return mutants.map(({ file, kind, original, replacement }) => {
    const name = JSON.stringify([file, kind, original, replacement]);
    const nth = (counts.get(name) ?? 0) + 1;
    counts.set(name, nth);
    return `${name} ${nth}`;
  });
}

/**
 * Draws all fail-open mutants, and a random sample of the others, in their order.
 *
 * @param {readonly Mutant[]} mutants
 * @param {number} seed
 * @param {number} size
 */
export function drawn(mutants, seed, size) {
  const names = namesOf(mutants);
  const ranked = mutants
    .map((mutant, at) => ({ mutant, rank: rankOf(`${seed} ${names[at]}`) }))
    .filter(({ mutant }) => !mutant.failOpen)
    .sort((one, other) => (one.rank < other.rank ? -1 : 1));
  const sample = new Set(ranked.slice(0, size).map(({ mutant }) => mutant));
  return mutants.filter((mutant) => mutant.failOpen || sample.has(mutant));
}

/** @param {string} name */
function rankOf(name) {
  return createHash("sha256").update(name).digest("hex");
}
