import type { Signal } from "./signals.js";

/** The amount that each signal adds to the logarithm of the odds. Fitted by benchmarks/containment/fit-scanner.mjs. */
export const weights: Readonly<Record<Signal, number>> = {
  overrides: 4,
  "addresses-model": 3.1,
  "forged-boundary": 4.2,
  hidden: 0.5,
  "takes-precedence": 2.7,
  "asks-for-effect": 0.8,
  "asks-for-secret": 2.6,
  "keeps-from-user": 2.3,
  "encoded-order": 1.7,
  "carries-out": 3.6,
  "off-task-order": 4.6,
};

export const bias = -2.1;
