import { plainText } from "../../packages/containment/dist/scanner/plain-text.js";
import { signals, signalsIn } from "../../packages/containment/dist/scanner/signals.js";
import { readRows } from "./scores.mjs";

/**
 * @typedef {{ weights: number[], bias: number }} Model
 * @typedef {{ id: string, kind: string, source: string, isAttack: boolean, features: number[] }} Row
 */

/** Reads the rows of the data, with the signals that each shows. @returns {Row[]} */
export function rowsOf() {
  return readRows("injection/dev.jsonl").map(({ id, kind, label, text }) => {
    const found = new Set(signalsIn(plainText(text)));
    const features = signals.map((signal) => (found.has(signal) ? 1 : 0));
    return { id, kind, source: sourceOf(kind), isAttack: label === "attack", features };
  });
}

/** @param {string} kind */
function sourceOf(kind) {
  const [place = "", name = ""] = kind.split(".");
  return place === "tool_description" ? place : `${place}.${name}`;
}

/**
 * Logistic regression with weights of at least 0, by gradient descent. A benign text counts twice.
 *
 * @param {Row[]} rows @returns {Model}
 */
export function fitWeights(rows) {
  const weights = signals.map(() => 0);
  let bias = -2;
  for (let round = 0; round < 1_500; round++) {
    const slopes = signals.map(() => 0);
    let slope = 0;
    for (const { features, isAttack } of rows) {
      const error =
        (probability({ weights, bias }, features) - Number(isAttack)) * (isAttack ? 1 : 2);
      features.forEach((feature, index) => {
        slopes[index] = (slopes[index] ?? 0) + error * feature;
      });
      slope += error;
    }
    weights.forEach((weight, index) => {
      weights[index] = Math.max(0, weight - 0.003 * ((slopes[index] ?? 0) + 0.5 * weight));
    });
    bias -= 0.003 * slope;
  }
  return { weights, bias };
}

/** @param {Model} model @param {number[]} features */
function probability({ weights, bias }, features) {
  const odds = features.reduce(
    (sum, feature, index) => sum + feature * (weights[index] ?? 0),
    bias,
  );
  return 1 / (1 + Math.exp(-odds));
}

/** The scores of each row by weights that were fitted without its source. @param {Row[]} rows */
export function crossValidated(rows) {
  const models = new Map();
  return rows.map(({ source, features }) => {
    if (!models.has(source))
      models.set(source, fitWeights(rows.filter((row) => row.source !== source)));
    return probability(models.get(source), features);
  });
}
