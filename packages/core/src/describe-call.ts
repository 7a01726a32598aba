import { isPlain, type RunOptions } from "./request.js";
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
    // All of them before any is refused: each promise has to be seen to.
    const given = Object.values(members).map(isGiven);
    return given.every(Boolean) ? { ...known, ...members } : unreadable;
  } catch {
    return unreadable;
  }
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
