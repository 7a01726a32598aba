import { own } from "./own-property.js";

/**
 * The conversation without receipts, for a model to be sent.
 *
 * The same list where there is none; else one in which only the messages that
 * carried some are copied. Taken out are the `receipt` members of `tool_calls`
 * entries and of `tool` messages, and no others. What is no list is given back.
 */
export function stripReceipts<Messages>(messages: Messages): Messages {
  if (!Array.isArray(messages)) return messages;
  const stripped = messages.map(stripMessage);
  return stripped.some((message, index) => message !== messages[index])
    ? (stripped as Messages)
    : messages;
}

function stripMessage(message: unknown): unknown {
  const bare = own(message, "role") === "tool" ? withoutReceipt(message) : message;
  const calls = own(bare, "tool_calls");
  if (!Array.isArray(calls) || !calls.some(hasReceipt)) return bare;
  return { ...(bare as object), tool_calls: calls.map(withoutReceipt) };
}

function withoutReceipt(value: unknown): unknown {
  if (!hasReceipt(value)) return value;
  const { receipt: _, ...rest } = value;
  return rest;
}

function hasReceipt(value: unknown): value is { readonly receipt: unknown } {
  return typeof value === "object" && value !== null && Object.hasOwn(value, "receipt");
}
