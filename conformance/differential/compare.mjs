import { isDeepStrictEqual } from "node:util";

/** @typedef {import("./cases.mjs").Case} Case */
/** @typedef {import("./ours.mjs").Came} Came */
/** @typedef {import("./model-stub.mjs").Asked} Asked */

/** Only `check` tells a changed text from others. @param {Case} given @param {Came} came */
const outcomeOf = ({ mode }, { outcome }) =>
  outcome === "modified" && mode !== "check" ? "passed" : outcome;

/** True if a request is blocked there and passes here. @param {{ readonly theirs: Came, readonly ours: Came }} came */
export const isPassedHere = ({ theirs, ours }) =>
  theirs.outcome === "blocked" && /^(?:passed|modified)$/.test(ours.outcome);

/** What a model was asked; not how the request was addressed. @param {Asked} asked */
function questionOf({ to, body }) {
  if (to === "entities") return { to, body: Object.entries(body).sort() };
  const { messages, tools, max_tokens } = body;
  return { to, messages, ...(tools ? { tools } : {}), ...(to === "m" ? {} : { max_tokens }) };
}

/** What models were asked, in an order that rails that run together do not change. @param {Came} came */
export const questionsOf = ({ asked = [] }) =>
  asked.map((each) => JSON.stringify(questionOf(each))).sort();

/** @param {Came} came */
const reasonOf = ({ reason }) => (reason ?? "").replace(/(?::| at | \d+ argument).*$/s, "");

/**
 * Names the first thing in which two outcomes of a case differ; undefined where they are the same.
 *
 * Reasons are not compared: each side has its own words.
 *
 * @param {Case} given @param {Came} theirs @param {Came} ours
 * @returns {string | undefined}
 */
export function difference(given, theirs, ours) {
  const [one, other] = [outcomeOf(given, theirs), outcomeOf(given, ours)];
  if (one !== other) return `outcome: ${one} there, ${other} here`;
  if (one === "refused" || one === "error") return undefined;
  if (given.id.startsWith("per-tool-")) return otherViolation(theirs, ours);
  if (one === "blocked") {
    if (theirs.kind !== ours.kind) return `direction: ${theirs.kind} there, ${ours.kind} here`;
    // A rail on tools has no name there. Its reasons are the same but for what they say of arguments.
    if (theirs.rail === null && reasonOf(theirs) !== reasonOf(ours)) return "reason";
    if (theirs.rail !== null && theirs.rail !== ours.rail)
      return `rail: ${theirs.rail} there, ${ours.rail} here`;
    if (theirs.failed !== ours.failed) return `failed: ${theirs.failed} there, ${ours.failed} here`;
    return theirs.content === ours.content ? undefined : "text of a block";
  }
  if (theirs.content !== ours.content) return "text";
  if (!isDeepStrictEqual(theirs.calls, ours.calls)) return "calls of tools";
  return isDeepStrictEqual(questionsOf(theirs), questionsOf(ours))
    ? undefined
    : "questions to models";
}

/** @param {Came} theirs @param {Came} ours */
function otherViolation(theirs, ours) {
  if (theirs.outcome !== "blocked") return undefined;
  for (const member of /** @type {const} */ (["kind", "index", "type", "rail"])) {
    if (member === "rail" && theirs.rail === null) continue;
    if (theirs[member] !== ours[member])
      return `${member}: ${theirs[member]} there, ${ours[member]} here`;
  }
  return undefined;
}
