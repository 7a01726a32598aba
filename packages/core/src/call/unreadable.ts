import type { RunOptions } from "./request.js";

/** A placeholder for a part of a call that threw when it was read. The error is for operators. */
export class Unreadable {
  readonly cause: unknown;

  constructor(cause: unknown) {
    this.cause = cause;
  }
}

const contexts = new WeakSet<object>();

/** Makes options with a context that throws when it is read, so that core denies the call and reports the error. They can be copied. */
export function unreadableOptions(cause: unknown): RunOptions {
  const context = Object.freeze({
    get sessionId(): never {
      throw cause;
    },
  });
  contexts.add(context);
  return Object.freeze({ context });
}

/** True for what `unreadableOptions` made. */
export function isUnreadable({ context }: RunOptions): boolean {
  return contexts.has(context as object);
}
