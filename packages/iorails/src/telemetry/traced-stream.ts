import type { Context } from "@opentelemetry/api";
import type { CompletionEvent } from "../chat/message.js";
import type { RecordedChat } from "./chat-span.js";
import { within } from "./quietly.js";

type Events = AsyncGenerator<CompletionEvent, void, void>;

/**
 * A model's stream, recorded as it is read.
 *
 * It is begun at once, and left by `return()` without waiting for a `next()`
 * that is still out, just as the stream itself.
 */
export function tracedStream(
  chat: RecordedChat,
  active: Context | undefined,
  start: () => Events,
): Events {
  const failed = (thrown: unknown): never => {
    chat.failed(thrown);
    chat.end();
    throw thrown;
  };
  let inner: Events;
  try {
    inner = start();
  } catch (thrown) {
    return failed(thrown);
  }
  const outer: Events = {
    next: () => within(active, () => inner.next()).then((step) => told(chat, step), failed),
    return: async () => {
      chat.end();
      return inner.return();
    },
    throw: async (thrown) => {
      chat.failed(thrown);
      chat.end();
      return inner.throw(thrown);
    },
    [Symbol.asyncIterator]: () => outer,
    [Symbol.asyncDispose]: async () => {
      await outer.return();
    },
  };
  return outer;
}

function told(
  chat: RecordedChat,
  step: IteratorResult<CompletionEvent, void>,
): IteratorResult<CompletionEvent, void> {
  if (step.done) chat.end();
  else if (step.value.type !== "end") chat.chunk();
  else {
    chat.completed(step.value.completion);
    chat.end();
  }
  return step;
}
