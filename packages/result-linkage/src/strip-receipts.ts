import { ownValue } from "@toolstile/core/provider";
import { messagesIn } from "./conversation.js";

/**
 * The conversation without receipts, for a model to be sent.
 *
 * The same list where there is none; else one in which only the messages that
 * carried some are copied. Taken out are the `receipt` members of messages, of
 * `tool_calls` entries, of their `function`, and of a legacy `function_call`:
 * where clients put them, right or wrong. A value that is not a list is returned unchanged, and a
 * message that throws when it is read stays as it is.
 */
export function stripReceipts<Messages>(messages: Messages): Messages {
  const list = messagesIn(messages);
  if (list === undefined) return messages;
  const stripped = list.map(stripMessage);
  const isBare = stripped.every((message, index) => message === list[index]);
  return isBare ? messages : (stripped as Messages);
}

function stripMessage(message: unknown): unknown {
  try {
    return withoutReceipts(message);
  } catch {
    return message;
  }
}

function withoutReceipts(message: unknown): unknown {
  if (typeof message !== "object" || message === null) return message;
  const { receipt, function_call, tool_calls } = message as Readonly<Record<string, unknown>>;
  // Most have none of the three, which named reads find out at a tenth of the cost of others.
  if (receipt === undefined && function_call === undefined && tool_calls === undefined) {
    return message;
  }
  const bare = withoutMember(withoutReceipt(message), "function_call");
  const calls = ownValue(bare, "tool_calls");
  if (!Array.isArray(calls)) return bare;
  if (!calls.some(carriesReceipt)) return bare;
  const stripped = calls.map((call) => withoutMember(withoutReceipt(call), "function"));
  return { ...(bare as object), tool_calls: stripped };
}

function carriesReceipt(call: unknown): boolean {
  return hasReceipt(call) || hasReceipt(ownValue(call, "function"));
}

/** A value of which one member is without a receipt. */
function withoutMember(value: unknown, key: string): unknown {
  const member = ownValue(value, key);
  return hasReceipt(member) ? { ...(value as object), [key]: withoutReceipt(member) } : value;
}

function withoutReceipt(value: unknown): unknown {
  if (!hasReceipt(value)) return value;
  const { receipt: _, ...rest } = value;
  return rest;
}

function hasReceipt(value: unknown): value is { readonly receipt: unknown } {
  return typeof value === "object" && value !== null && Object.hasOwn(value, "receipt");
}
