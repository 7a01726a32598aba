import { isPassedHere } from "./compare.mjs";
import { configurationClasses } from "./configuration-classes.mjs";
import { conversationClasses } from "./conversation-classes.mjs";
import { railClasses } from "./rail-classes.mjs";

/** @typedef {import("./cases.mjs").Case} Case */
/** @typedef {import("./run.mjs").Pair} Pair */

/**
 * A kind of difference that is meant to be.
 *
 * @typedef {object} Class
 * @property {string} name
 * @property {"stricter" | "NeMo's fault" | "another choice"} whose
 * @property {string} reason
 * @property {(pair: Pair) => boolean} applies
 * @property {(given: any, pair: Pair) => Case | undefined} without The case without the cause: both sides must then be the same. Undefined where `applies` proves all.
 */

/** In the order in which they are tried. @type {readonly Class[]} */
export const classes = [...configurationClasses, ...conversationClasses, ...railClasses];

/** What makes this engine stricter does not explain what it lets pass. @param {Class} found @param {Pair} pair */
export const explains = ({ whose, applies }, pair) =>
  !(whose === "stricter" && isPassedHere(pair)) && applies(pair);
