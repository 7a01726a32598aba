import {
  type BaseMessage,
  coerceMessageLikeToMessage,
  isBaseMessage,
} from "@langchain/core/messages";
import { Command, Overwrite } from "@langchain/langgraph";
import { ownValue, sameJson } from "@toolstile/core/provider";

/** LangGraph's mark on a value that replaces all that was there. */
const overwrite = "__overwrite__";

/** The messages of a command's update, those of an Overwrite among them. */
export function messagesOf(command: Command): readonly unknown[] {
  return entriesOf(command).flatMap(([key, value]) => (key === "messages" ? listIn(value) : []));
}

/** The messages that a command sends to nodes by themselves. */
function sentMessagesOf({ goto }: Command): readonly unknown[] {
  return [goto].flat().flatMap((each: unknown) => {
    const args = ownValue(each, "args");
    return Array.isArray(args) ? args : [ownValue(args, "messages") ?? []].flat();
  });
}

/** The messages of a command that the graph does not have already: those of a conversation may be handed over with it. */
export function newMessagesOf(
  command: Command,
  known: readonly BaseMessage[],
): readonly BaseMessage[] {
  const messages = [...messagesOf(command), ...sentMessagesOf(command)].map(realMessage);
  return messages.filter(
    (message): message is BaseMessage =>
      isBaseMessage(message) &&
      message.getType() !== "remove" &&
      !known.some((each) => each === message || isSaidBy(each, message)),
  );
}

/** True if a message says nothing that another does not say, as whoever says it. */
function isSaidBy(known: BaseMessage, message: BaseMessage): boolean {
  const isSame = (key: string) =>
    sameJson(ownValue(known, key) ?? "", ownValue(message, key) ?? "");
  const isBlank = message.content === "" && message.name === undefined;
  return (
    known.getType() === message.getType() &&
    ["role", "tool_call_id"].every(isSame) &&
    (isBlank || ["content", "name"].every(isSame)) &&
    callsOf(message).every((call) => callsOf(known).some((each) => sameJson(each, call)))
  );
}

function callsOf(message: BaseMessage): readonly unknown[] {
  const calls = [ownValue(message, "tool_calls") ?? []].flat();
  return calls.map((call) => ["id", "name", "args"].map((key) => ownValue(call, key) ?? ""));
}

/** The same command with other messages in the places of its own. */
export function withMessages(command: Command, change: (message: unknown) => unknown): Command {
  const { graph, goto, resume } = command;
  const update = entriesOf(command).map(([key, value]): [string, unknown] => {
    if (key !== "messages") return [key, value];
    const messages = listIn(value).map(change);
    return [key, overwritten(value) === undefined ? messages : new Overwrite(messages)];
  });
  const known = Object.entries({ graph, goto, resume }).filter(([, value]) => value !== undefined);
  return new Command({ ...Object.fromEntries(known), update });
}

/**
 * The command with what a graph will make of its messages, where they are plain
 * data: an answer to a call may be written as such, too.
 */
export function withRealMessages(command: Command): Command {
  const isReal = messagesOf(command).every((message) => isBaseMessage(message));
  return isReal ? command : withMessages(command, realMessage);
}

/** A value that is not a message to the graph either is left as it is. */
function realMessage(given: unknown): unknown {
  try {
    return coerceMessageLikeToMessage(given as BaseMessage);
  } catch {
    return given;
  }
}

/** The names and values of an update, which is an object or a list of pairs. */
function entriesOf({ update }: Command): readonly (readonly [string, unknown])[] {
  const entries: unknown[] = Array.isArray(update) ? update : Object.entries(Object(update));
  return entries.filter((entry): entry is [string, unknown] => Array.isArray(entry));
}

function listIn(value: unknown): readonly unknown[] {
  const replacing = overwritten(value);
  return [replacing === undefined ? value : replacing.value].flat();
}

/** As LangGraph knows it: its own object, or one that came from another runtime. */
function overwritten(value: unknown): { readonly value: unknown } | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  if (overwrite in value) return { value: value[overwrite] };
  const { type } = value as { readonly type?: unknown };
  return type === overwrite && "value" in value ? { value: value.value } : undefined;
}
