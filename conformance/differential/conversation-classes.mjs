import { isPassedHere } from "./compare.mjs";

/** @typedef {import("./classes.mjs").Class} Class */

/** @param {unknown} part */
const textOf = (part) => (typeof part === "string" ? part : /** @type {any} */ (part).text);

/** @param {any} message */
const isUser = ({ role }) => role === "user";

/** @param {any} message */
const isEmpty = ({ content }) =>
  content === null || (typeof content === "string" ? content.trim() : content).length === 0;

/** @param {any} message */
const isImageAlone = ({ content }) =>
  Array.isArray(content) &&
  content.length > 0 &&
  content.every((part) => part.type === "image_url");

/** An answer that says nothing and asks for nothing is none. @param {any} message */
const isAnswer = ({ role, content, tool_calls }) =>
  role === "assistant" && ((content ?? "").trim() !== "" || tool_calls !== undefined);

/** @param {readonly any[]} messages The places of what the user has said since the last answer. */
function lastRun(messages) {
  const end = messages.findLastIndex(isUser);
  const answered = messages.slice(0, end).findLastIndex(isAnswer);
  return messages.flatMap((message, at) =>
    at > answered && at <= end && isUser(message) ? at : [],
  );
}

/** @param {any} message */
const isNamed = ({ name, role }) => role === "user" && name !== undefined;

/** Differences by what stands in the conversation. @type {readonly Class[]} */
export const conversationClasses = [
  {
    name: "a message without any text",
    whose: "stricter",
    reason: "An image alone, where a rail reads text, is not judged and blocks. NeMo passes it.",
    applies: ({ given }) => isImageAlone(given.messages.findLast(isUser)),
    without: (given) => ({
      ...given,
      messages: given.messages.map((/** @type {any} */ each) =>
        isUser(each) && isImageAlone(each) ? { ...each, content: "a picture" } : each,
      ),
    }),
  },
  {
    name: "content in parts",
    whose: "NeMo's fault",
    reason:
      "A text that comes as a list of parts makes a rail of NeMo fail, and `check` passes it unread. Here it is read.",
    applies: ({ given }) =>
      given.messages.some((each) => isUser(each) && Array.isArray(each.content)),
    without: (given) => ({
      ...given,
      messages: given.messages.map((/** @type {any} */ message) =>
        isUser(message) && Array.isArray(message.content)
          ? {
              ...message,
              content: message.content
                .flatMap((/** @type {any} */ part) => textOf(part) ?? [])
                .join("\n"),
            }
          : message,
      ),
    }),
  },
  {
    name: "name of the user",
    whose: "stricter",
    reason: "The model reads the name that a message has, so it is judged with the text.",
    applies: ({ given }) => given.messages.some(isNamed),
    without: (given) => ({
      ...given,
      messages: given.messages.map((/** @type {any} */ { name, ...rest }) => rest),
    }),
  },
  {
    name: "several messages in a row",
    whose: "stricter",
    reason:
      "The model reads all that the user has said since its last answer, so all of it is judged, as one text. NeMo judges the last message.",
    applies: ({ given }) => lastRun(given.messages).length > 1,
    without: (given) => {
      const run = lastRun(given.messages);
      const text = run
        .map((at) => given.messages[at].content)
        .filter((said) => said)
        .join("\n");
      const messages = given.messages.filter(
        (/** @type {any} */ _, /** @type {number} */ at) => !run.includes(at) || at === run.at(-1),
      );
      const last = messages.findLastIndex(isUser);
      messages[last] = { ...messages[last], content: text };
      return { ...given, messages };
    },
  },
  {
    name: "an empty message at the end",
    whose: "stricter",
    reason:
      "A message that says nothing is passed over, and what the user said before is judged. NeMo judges the last message alone.",
    applies: ({ given }) => isEmpty(given.messages.findLast(isUser)),
    without: (given) => {
      const messages = given.messages.filter(
        (/** @type {any} */ each) => !isUser(each) || !isEmpty(each),
      );
      if (messages.some(isUser)) return { ...given, messages };
      const greeted = given.messages.map((/** @type {any} */ each) =>
        isUser(each) ? { ...each, content: "hello" } : each,
      );
      return { ...given, messages: greeted };
    },
  },
  {
    name: "what is cut of several messages",
    whose: "another choice",
    reason:
      "`truncate` cuts what the user has said in all, names too, so that less of the last message is left for the rails and the model. NeMo cuts the last message alone.",
    applies: (pair) =>
      isPassedHere(pair) &&
      pair.given.config.rails.config.context_bloat_detection?.action === "truncate" &&
      (pair.given.messages.some(isNamed) || lastRun(pair.given.messages).length > 1),
    without: (given) => {
      given.config.rails.config.context_bloat_detection.action = "warn";
      return given;
    },
  },
];
