/** @typedef {import("./classes.mjs").Class} Class */

const backwards = /\(\?P=|\\[1-9]|\(\?>|\(\?<?[=!]/;

/** The sections of patterns in a configuration. @param {any} config @returns {{ patterns: string[] }[]} */
const patternsIn = ({ rails: { config } }) =>
  Object.values(config.regex_detection ?? {}).flatMap((/** @type {any} */ section) =>
    section.patterns === undefined ? Object.values(section) : [section],
  );

/** @param {string} mistake @param {string} reason @returns {Class} */
const refused = (mistake, reason) => ({
  name: mistake,
  whose: "stricter",
  reason,
  applies: ({ given, theirs, ours }) =>
    given.mistake === mistake && ours.outcome === "refused" && theirs.outcome !== "refused",
  without: ({ intended, mistake: _, ...given }) => ({ ...given, config: intended }),
});

/** Differences by what stands in the configuration. @type {readonly Class[]} */
export const configurationClasses = [
  refused(
    "a key that there is not",
    "A key that no release has is an error. NeMo drops it without a word, and with it the rail that it was meant for.",
  ),
  refused(
    "a key in the singular",
    "A misspelt key is an error that names the right one. NeMo runs the rail without it.",
  ),
  refused(
    "a text in place of true",
    "A value of another type is an error. NeMo takes some texts for true.",
  ),
  refused("a flow twice", "A flow that is listed twice is an error. NeMo runs it twice."),
  refused(
    "a flow without its section",
    "A rail without patterns finds nothing, so it does not load. NeMo runs it.",
  ),
  {
    name: "each text is searched",
    whose: "stricter",
    reason:
      "Patterns are looked for in every text of arguments and results, and in their JSON. In the JSON alone, where 0.25 looks, a quotation mark, a line's end or an umlaut stands escaped.",
    applies: ({ given, ours }) =>
      given.id.startsWith("per-tool") &&
      ours.outcome === "blocked" &&
      (ours.rail ?? "").startsWith("regex check"),
    without: (given) => ({ ...given, rulings: ["each text"] }),
  },
  {
    name: "expressions that are wrong",
    whose: "stricter",
    reason:
      "An expression with a function that there is not, or of a type that is no answer, is an error at load. In 0.25 it fails every call.",
    applies: ({ given, ours }) =>
      ours.outcome === "refused" &&
      /expressions\[\d+\]/.test(ours.error ?? "") &&
      given.id.startsWith("per-tool"),
    without: (given, { ours }) => {
      for (const [, family, tool, index] of (ours.error ?? "").matchAll(
        /cel\.(\w+)\.(\w+)\.expressions\[(\d+)\]/g,
      ))
        given.config.rails.config.cel[family ?? ""][tool ?? ""].expressions[Number(index)] =
          "false";
      return given;
    },
  },
  {
    name: "an answer that is no verdict",
    whose: "another choice",
    reason:
      "An answer of a judge that says neither is a rail that failed. 0.25 takes it for a block.",
    applies: ({ given, theirs, ours }) =>
      given.script.says?.[0] === "perhaps" &&
      theirs.outcome === "blocked" &&
      ours.outcome === "blocked",
    without: (given) => ({ ...given, script: { ...given.script, says: ["unsafe", "unsafe"] } }),
  },
  {
    name: "patterns that need to go back",
    whose: "stricter",
    reason:
      "Patterns are searched in time that grows with the text. What needs an engine that goes back is an error at load.",
    applies: ({ given, ours }) =>
      ours.outcome === "refused" &&
      patternsIn(given.config).some(({ patterns }) =>
        patterns.some((each) => backwards.test(each)),
      ),
    without: (given) => {
      for (const section of patternsIn(given.config))
        section.patterns = section.patterns.filter((each) => !backwards.test(each));
      return given;
    },
  },
];
