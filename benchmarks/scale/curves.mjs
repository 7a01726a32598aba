// The files of curves. Each exports `curves`:
//
//   {
//     name: "asking for one more approval, file store",   what is done
//     against: "approvals that wait",                     what n counts
//     growth: "constant",                                 at most: constant, log n, n, n log n, n²
//     sizes: [10, 100, 1_000, 10_000],                    for the page
//     checked: [30, 300],                                 for CI, where it is cheap; left out: not checked there
//     unit: "files read",                                 left out: the processor's time, in nanoseconds
//     async at(n) {                                       prepares n of them, in a fresh process for each curve
//       return {
//         run: async () => { ... },                       one operation; timed, over many turns
//         close: async () => { ... },                     optional
//       };
//     },
//   }
//
// `before` beside `run` goes before each turn and is not timed. Where `at` returns `{ value }`, that is the figure:
// a count, or bytes. `turns` beside `run` fixes how many turns a round has, where each turn uses something up.

/** @typedef {import("./fit.mjs").Growth} Growth */
/**
 * @typedef {object} Curve
 * @property {string} name
 * @property {string} against
 * @property {Growth} growth
 * @property {readonly number[]} sizes
 * @property {readonly number[]} [checked]
 * @property {string} [unit]
 * @property {(n: number) => Promise<Prepared> | Prepared} at
 */
/**
 * @typedef {{ value: number, close?: () => unknown }
 *   | { run: () => unknown, before?: () => unknown, turns?: number, close?: () => unknown }} Prepared
 */

import { readdirSync } from "node:fs";

const folder = new URL("curves/", import.meta.url);

/** Every file of curves, by name, with its curves. */
export async function allCurves() {
  const files = readdirSync(folder)
    .filter((name) => name.endsWith(".mjs"))
    .toSorted();
  return Promise.all(
    files.map(async (file) => {
      const { curves } = await import(new URL(file, folder).href);
      return { file, curves: /** @type {Curve[]} */ (curves) };
    }),
  );
}

/**
 * @param {string} file
 * @param {number} index
 * @returns {Promise<Curve>}
 */
export async function curveOf(file, index) {
  const { curves } = await import(new URL(file, folder).href);
  return curves[index];
}
