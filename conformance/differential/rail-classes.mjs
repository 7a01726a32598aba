import { questionsOf } from "./compare.mjs";
import { withoutLookalikes } from "./snippets.mjs";

/** @typedef {import("./cases.mjs").Case} Case */
/** @typedef {import("./classes.mjs").Class} Class */

/** Differences by what rails do. @type {readonly Class[]} */
export const railClasses = [
  {
    name: "what `check` gives back",
    whose: "another choice",
    reason:
      "`content` is the text that was judged. NeMo gives back the last answer, also where no rail judges answers.",
    applies: ({ given, difference }) =>
      given.mode === "check" &&
      given.railTypes === undefined &&
      /^text|modified/.test(difference ?? ""),
    without: (given) => ({
      ...given,
      railTypes: ["input", "output"].filter((type) => given.config.rails[type] !== undefined),
    }),
  },
  {
    name: "a word of a language is no injection",
    whose: "NeMo's fault",
    reason:
      "NeMo takes verbs, apostrophes and images in plain sentences for injections: *don't create a scene*.",
    applies: ({ given }) =>
      JSON.stringify(given.config.rails).includes("injection detection") &&
      withoutLookalikes(judgedIn(given)) !== judgedIn(given),
    without: (given) => {
      const { answer, pieces, ...script } = given.script;
      const changed = withoutLookalikes(answer);
      return {
        ...given,
        messages: given.messages.map((/** @type {any} */ each) => ({
          ...each,
          content:
            typeof each.content === "string" ? withoutLookalikes(each.content) : each.content,
        })),
        script: { ...script, answer: changed, pieces: answer === changed ? pieces : [changed] },
      };
    },
  },
  {
    name: "a stream that is rewritten",
    whose: "NeMo's fault",
    reason:
      "NeMo judges a stream piece by piece, without what stood before, and sends a rewritten text twice. Here it leaves once, when nothing to come can change it.",
    applies: ({ given }) =>
      given.mode === "stream" && given.config.rails.output?.flows.some(isWriter),
    without: (given) => ({ ...given, mode: "generate" }),
  },
  {
    name: "a stretch of a stream is judged once",
    whose: "another choice",
    reason:
      "NeMo judges the last pieces of a stream a second time when it is over. What is judged here, NeMo judges too.",
    applies: ({ given, theirs, ours, difference }) =>
      given.mode === "stream" &&
      difference === "questions to models" &&
      isPartOf(questionsOf(ours), questionsOf(theirs)),
    without: () => undefined,
  },
  {
    name: "no context of a stream",
    whose: "another choice",
    reason:
      "With `context_size: 0` each piece of a stream is judged once. NeMo then takes one new piece at a time, and keeps the ones before.",
    applies: ({ given }) =>
      given.mode === "stream" &&
      given.config.rails.output?.streaming?.context_size === 0 &&
      given.config.rails.output.streaming.chunk_size > 1,
    without: (given) => {
      given.config.rails.output.streaming.context_size = 1;
      return given;
    },
  },
  {
    name: "the status of what `check` changed",
    whose: "another choice",
    reason:
      "The status is `modified` also where a rail rewrote what the user said, and `content` is the answer. NeMo then says `passed`.",
    applies: ({ given, theirs, ours }) =>
      given.mode === "check" &&
      theirs.outcome === "passed" &&
      ours.outcome === "modified" &&
      theirs.content === ours.content &&
      /input$/.test(ours.rail ?? "") &&
      questionsOf(theirs).join() === questionsOf(ours).join(),
    without: () => undefined,
  },
  {
    name: "the first rail that blocks",
    whose: "another choice",
    reason:
      "Rails that do not rewrite stay parallel beside ones that do. Of several that block, the first to say so is told. NeMo runs all in order then.",
    applies: ({ given, theirs, ours }) =>
      theirs.outcome === "blocked" &&
      ours.outcome === "blocked" &&
      theirs.kind === ours.kind &&
      given.config.rails[ours.kind ?? ""]?.parallel === true,
    without: (given, { ours }) => {
      given.config.rails[ours.kind ?? ""].parallel = false;
      return given;
    },
  },
  {
    name: "omit takes out all of an injection",
    whose: "another choice",
    reason:
      "`action: omit` takes out the whole statement, script or expression. NeMo takes out the words that its rule matched, and leaves the rest.",
    applies: ({ given }) => given.config.rails.config.injection_detection?.action === "omit",
    without: (given) => {
      given.config.rails.config.injection_detection.action = "reject";
      return given;
    },
  },
];

/** @param {readonly string[]} part @param {readonly string[]} whole */
function isPartOf(part, whole) {
  const left = [...whole];
  return part.every((each) => {
    const at = left.indexOf(each);
    if (at !== -1) left.splice(at, 1);
    return at !== -1;
  });
}

/** @param {string} flow */
const isWriter = (flow) => /mask|injection|bloat/.test(flow);

/** The text that output rails judge. @param {Case} given */
function judgedIn({ mode, messages, script }) {
  return mode === "check" ? JSON.stringify(messages) : (script.answer ?? "");
}
