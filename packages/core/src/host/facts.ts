import { keepConversation } from "../call/conversation.js";
import type { HostContext, RunOptions } from "../call/request.js";
import { unreadableOptions } from "../call/unreadable.js";
import { inOwnWords } from "../errors/fault-warning.js";
import { isPlain } from "../json/own.js";
import { ignoreRejection, isThenable } from "../time/wait.js";

/**
 * Joins the answer of a host's `describe` with the facts that are known already: for adapters.
 *
 * It never throws. If `describe` throws, returns a promise, or returns anything
 * but a plain object whose members can all be read, the options returned make
 * core deny the call as `unreadable_context`, and report the error to operators.
 */
export function describeCall(
  describe: (() => RunOptions) | undefined,
  known: RunOptions = {},
): RunOptions {
  if (describe === undefined) return known;
  try {
    const said: unknown = describe();
    if (!isGiven(said) || !isShown(said)) return unreadableOptions(undescribed());
    const members: RunOptions = { ...said };
    const context = readOnce(members.context);
    // Every member is looked at before one is refused: each promise must have its rejection silenced.
    const given = [...Object.values(members), ...Object.values(context ?? {})].map(isGiven);
    if (!given.every(Boolean)) return unreadableOptions(undescribed());
    return { ...known, ...members, ...(context && { context }) };
  } catch (error) {
    return unreadableOptions(error);
  }
}

function undescribed(): TypeError {
  const problem = "`describe` must return a plain object without promises, at once.";
  return inOwnWords(new TypeError(problem));
}

/** Copies the context, so that later reads are the same. Core refuses a context that is not a plain object. */
function readOnce(context: unknown): HostContext | undefined {
  if (typeof context !== "object" || context === null || !isPlain(context)) return undefined;
  if (!isShown(context)) throw undescribed();
  return keepConversation(context, { ...context });
}

/** True unless the value is a promise. A promise is not awaited, and its rejection is silenced. */
function isGiven(value: unknown): boolean {
  ignoreRejection(value);
  return !isThenable(value);
}

/** True for a plain object without hidden members: a hidden member would silently be missing from a copy. */
function isShown(said: unknown): said is object {
  if (typeof said !== "object" || said === null || !isPlain(said)) return false;
  return Reflect.ownKeys(said).every((key) =>
    Object.prototype.propertyIsEnumerable.call(said, key),
  );
}
