import {
  type AIMessage,
  type BaseMessage,
  type ChatMessage as GenericMessage,
  isAIMessage,
  ToolMessage,
} from "@langchain/core/messages";
import { ownText, sameJson } from "@toolstile/core/provider";
import { callsOf, copyOf, knownRoles, roles } from "./chat-messages.js";
import { parsed, readContent } from "./content.js";
import { withoutWords, wordsIn } from "./words.js";

/**
 * All that can be read of the model's message beside its text and its calls:
 * what it thought or refused, and all that its provider says.
 *
 * @throws TypeError for what no rail can read.
 */
export function besideAnswer(message: AIMessage): string {
  const calls = callsOf(message);
  const { content, additional_kwargs, response_metadata, invalid_tool_calls } = message;
  const { tool_calls, function_call, ...others } = additional_kwargs as Record<string, unknown>;
  const repeated = [tool_calls ?? [], function_call ?? []].flat();
  const said = repeated.filter((each) => !calls.some((call) => isRepeated(each, call)));
  const { tool_calls: again, ...metadata } = Object(response_metadata) as Record<string, unknown>;
  return [
    ...readContent(content, calls).beside,
    ...wordsIn(invalid_tool_calls),
    ...wordsIn(said),
    ...wordsIn(others),
    ...wordsIn(metadata),
    ...wordsIn(again),
  ].join("\n");
}

/** True of a call as OpenAI's models leave it beside what LangChain reads of it. */
function isRepeated(
  given: unknown,
  { id, name, args }: { id?: string; name: string; args: unknown },
) {
  const { id: own = id, type = "function", index: _, function: called, ...rest } = Object(given);
  const { name: named, arguments: text, ...more } = Object(called ?? given);
  return (
    own === id &&
    type === "function" &&
    named === name &&
    sameJson(parsed(text), args) &&
    wordsIn([called === undefined ? {} : rest, more]).length === 0
  );
}

/** The parts of a message beside its content that can be read: its sender, and the call that it answers. */
export function besideWords(
  message: BaseMessage,
  before: readonly BaseMessage[],
): readonly string[] {
  const { content, name } = message;
  const { beside } = readContent(content);
  const words = [...beside, ...wordsIn(roleWord(message))];
  if (!ToolMessage.isInstance(message)) return [...words, ...wordsIn(name)];
  const { tool_call_id: id, status } = message;
  const calls = before
    .filter((each) => isAIMessage(each))
    .flatMap((each) => callsOf(each as AIMessage));
  const call = calls.findLast((each) => each.id === id);
  const isKnown = status === undefined || status === "success" || status === "error";
  return [
    ...words,
    ...(call === undefined ? wordsIn(id) : []),
    ...(call?.name === name ? [] : wordsIn(name)),
    ...(isKnown ? [] : wordsIn(status)),
  ];
}

function roleWord(message: BaseMessage): string | undefined {
  const type = message.getType();
  if (type !== "generic") return roles.has(type) || type === "function" ? undefined : type;
  const { role } = message as GenericMessage;
  return knownRoles.includes(role) ? undefined : role;
}

/** As LangChain writes OpenAI's role of that name. */
function isDeveloper({ additional_kwargs }: BaseMessage): boolean {
  return ownText(additional_kwargs, "__openai_role__") === "developer";
}

/**
 * Makes the message that the model is shown. Members that the host put beside a
 * content were not judged, so they are left out and no provider gets them.
 */
export function forModel(message: BaseMessage): BaseMessage {
  if (isAIMessage(message)) return message;
  const { additional_kwargs = {}, response_metadata = {} } = message;
  const role = isDeveloper(message) ? { __openai_role__: "developer" } : {};
  const kept = { ...withoutWords(additional_kwargs), ...role };
  const metadata = withoutWords(response_metadata);
  const isClean = sameKeys(kept, additional_kwargs) && sameKeys(metadata, response_metadata);
  return isClean
    ? message
    : copyOf(message, { additional_kwargs: kept, response_metadata: metadata });
}

function sameKeys(one: object, other: object): boolean {
  return Object.keys(one).length === Object.keys(other).length;
}
