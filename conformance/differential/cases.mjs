import { Draw } from "./draw.mjs";
import { perToolCase } from "./per-tool-cases.mjs";
import { regexCase } from "./regex-cases.mjs";
import { rewriteCase } from "./rewrite-cases.mjs";
import { toolRailsCase } from "./tool-rails-cases.mjs";

/**
 * A configuration, and a request to the engine that runs it.
 *
 * @typedef {object} Case
 * @property {string} id `family-seed-index`
 * @property {"check" | "generate" | "stream"} mode
 * @property {any} config "@BASE@" in it is the address of the models.
 * @property {string} [mistake] What is wrong in the configuration.
 * @property {any} [intended] The configuration without the mistake.
 * @property {readonly any[]} messages
 * @property {readonly string[]} [railTypes]
 * @property {any} [options]
 * @property {import("./model-stub.mjs").Script} script
 * @property {readonly string[]} [rulings] What the model of rails of single tools does as this engine does.
 */

/** The model that answers. */
export const mainModel = {
  type: "main",
  engine: "openai",
  model: "m",
  parameters: { base_url: "@BASE@" },
};

/** How a configuration is asked. @param {Draw} draw @param {readonly string[]} directions @param {(answered: boolean) => any[]} talk @returns {Pick<Case, "mode" | "messages" | "railTypes">} */
export function requestOf(draw, directions, talk) {
  const mode = /** @type {Case["mode"]} */ (draw.of(["check", "check", "generate", "stream"]));
  if (mode !== "check") return { mode, messages: talk(false) };
  const chosen = draw.chance(0.3) ? undefined : draw.some(directions, 1, 2);
  const answered = chosen === undefined ? draw.chance(0.5) : chosen.includes("output");
  return { mode, messages: talk(answered), ...(chosen === undefined ? {} : { railTypes: chosen }) };
}

/** @type {Readonly<Record<string, { share: number, make: (draw: Draw) => Omit<Case, "id"> }>>} */
const families = {
  regex: { share: 0.25, make: regexCase },
  rewrite: { share: 0.35, make: rewriteCase },
  "tool-rails": { share: 0.1, make: toolRailsCase },
  "per-tool": { share: 0.3, make: perToolCase },
};

/** @param {string} id */
export const familyOf = (id) => id.replace(/-\d+-\d+$/, "");

/** The case of an id. @param {string} id @returns {Case} */
export function caseOf(id) {
  const made = families[familyOf(id)];
  if (made === undefined) throw new TypeError(`There is no family of cases ${familyOf(id)}.`);
  return { id, ...JSON.parse(JSON.stringify(made.make(new Draw(id)))) };
}

/** The ids of so many cases. @param {number} count @param {number} seed */
export function idsOf(count, seed) {
  return Object.entries(families).flatMap(([name, { share }]) =>
    Array.from({ length: Math.round(count * share) }, (_, at) => `${name}-${seed}-${at}`),
  );
}
