// The decisions as one would write them by hand. Each gives the reason for a denial, or nothing.

export const isAllowed = ({ name }) => (name === "send_mail" ? undefined : "not allowed");

export const followsTheRule = ({ args }) =>
  args.priority === "never" ? "never is no priority" : undefined;

/** A window that starts anew when its time is over. */
export function isWithinLimit({ limit, windowMs = 60_000 }) {
  let start = 0;
  let count = 0;
  return () => {
    const now = Date.now();
    if (now - start >= windowMs) {
      start = now;
      count = 0;
    }
    return ++count > limit ? "too many calls" : undefined;
  };
}

/** With a validator, such as Ajv's. */
export const fits = (validate) => (call) =>
  validate(call.args) ? undefined : "the arguments do not fit the schema";

const isText = (value, least, most) =>
  typeof value === "string" && value.length >= least && value.length <= most;
const isListOf = (isItem, least, value) =>
  Array.isArray(value) && value.length >= least && value.length <= 200 && value.every(isItem);
const isAddress = (value) => isText(value, 3, 254);
const isAttachment = (value) =>
  typeof value === "object" &&
  value !== null &&
  Object.keys(value).length === 3 &&
  isText(value.name, 1, 255) &&
  isText(value.mime, 0, 100) &&
  Number.isInteger(value.size) &&
  value.size >= 0;
const optional = (isIt, value) => value === undefined || isIt(value);
const known = new Set("to cc subject body priority attachments sendAt trackOpens".split(" "));

/** The rules of the mail tool's schema, written by hand. */
export const fitsByHand = ({ args }) =>
  isListOf(isAddress, 1, args.to) &&
  optional((cc) => isListOf(isAddress, 0, cc), args.cc) &&
  isText(args.subject, 1, 200) &&
  isText(args.body, 0, 20_000) &&
  optional((priority) => ["low", "normal", "high"].includes(priority), args.priority) &&
  optional((attachments) => isListOf(isAttachment, 0, attachments), args.attachments) &&
  optional((at) => typeof at === "string" && /^\d{4}-\d{2}-\d{2}T/.test(at), args.sendAt) &&
  optional((tracked) => typeof tracked === "boolean", args.trackOpens) &&
  Object.keys(args).every((key) => known.has(key))
    ? undefined
    : "the arguments do not fit the schema";

/** Checks that a result is text, as this tool's must be. */
export const isResult = (result) =>
  typeof result === "string" ? undefined : "the result must be text";

/** The text of a denial if no framework says it. */
export const denied = (reason) => `Denied: ${reason}`;
