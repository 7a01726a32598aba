import {
  type BaseMessage,
  coerceMessageLikeToMessage,
  isBaseMessage,
} from "@langchain/core/messages";
import { Command, Overwrite } from "@langchain/langgraph";

/** How LangGraph marks what stands in place of all that was there. */
const overwrite = "__overwrite__";

/** The messages of a command's update, those of an Overwrite among them. */
export function messagesOf(command: Command): readonly unknown[] {
  return entriesOf(command).flatMap(([key, value]) => (key === "messages" ? listIn(value) : []));
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

/** What is no message to the graph either is left as it is. */
function realMessage(given: unknown): unknown {
  try {
    return coerceMessageLikeToMessage(given as BaseMessage);
  } catch {
    return given;
  }
}

/** Of an update by name, or of one that is a list of names and values. */
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
