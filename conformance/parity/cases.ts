import { aborts } from "./cases/aborts.js";
import { approval } from "./cases/approval.js";
import { calls } from "./cases/calls.js";
import { decisions } from "./cases/decisions.js";
import { failingGuards } from "./cases/failing-guards.js";
import { results } from "./cases/results.js";

/** Every case of the suite, by its id. */
export const cases = {
  ...decisions,
  ...calls,
  ...failingGuards,
  ...results,
  ...aborts,
  ...approval,
};

export type CaseId = keyof typeof cases;

export const caseIds = Object.keys(cases) as readonly CaseId[];
