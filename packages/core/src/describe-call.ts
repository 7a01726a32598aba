import { type HostContext, isPlain, type RunOptions } from "./request.js";
import { disown, isThenable } from "./thenable.js";

/** Where something is to be known of the host and cannot be, the call is denied: this cannot be read. */
const unreadable: RunOptions = Object.freeze({
  context: Object.freeze({
    get sessionId(): never {
      throw new TypeError("describe() gave no facts");
    },
  }),
});

/**
 * What a host's `describe` says of a call, over what is known without: for adapters.
 *
 * It never throws. Where `describe` throws, answers later, or answers with
 * anything but a plain object whose members are all there to read, the options
 * that it gives have the call denied as `unreadable_context`.
 */
export function describeCall(
  describe: (() => RunOptions) | undefined,
  known: RunOptions = {},
): RunOptions {
  if (describe === undefined) return known;
  try {
    const said: unknown = describe();
    if (!isGiven(said) || !isShown(said)) return unreadable;
    const members: RunOptions = { ...said };
    const context = readOnce(members.context);
    // All of them before any is refused: each promise has to be seen to.
    const given = [...Object.values(members), ...Object.values(context ?? {})].map(isGiven);
    if (!given.every(Boolean)) return unreadable;
    return { ...known, ...members, ...(context && { context }) };
  } catch {
    return unreadable;
  }
}

/** The context as it is now: whoever reads it later reads the same. What is no plain object is core's to refuse. */
function readOnce(context: unknown): HostContext | undefined {
  if (typeof context !== "object" || context === null || !isPlain(context)) return undefined;
  if (!isShown(context)) throw new TypeError("a fact is hidden");
  return { ...context };
}

/** Nobody waits for what is not there yet: should it reject, that is no news. */
function isGiven(value: unknown): boolean {
  disown(value);
  return !isThenable(value);
}

/** What is inherited or hidden would be missing without a word. */
function isShown(said: unknown): said is object {
  if (typeof said !== "object" || said === null || Array.isArray(said) || !isPlain(said)) {
    return false;
  }
  return Reflect.ownKeys(said).every((key) =>
    Object.prototype.propertyIsEnumerable.call(said, key),
  );
}
