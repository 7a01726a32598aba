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
