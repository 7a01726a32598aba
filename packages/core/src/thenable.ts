/**
 * Whether a value must be awaited.
 *
 * A `then` that comes from `Object.prototype` makes nothing a promise: someone
 * planted it there.
 */
export function isThenable(value: unknown): value is PromiseLike<unknown> {
  if (value === null || (typeof value !== "object" && typeof value !== "function")) return false;
  const then: unknown = (value as { then?: unknown }).then;
  return typeof then === "function" && then !== (Object.prototype as { then?: unknown }).then;
}

/**
 * Whether awaiting can be trusted. With a `then` planted on `Object.prototype`
 * the engine itself calls it on every awaited object, so no awaited answer is
 * the provider's.
 */
export function canTrustAwait(): boolean {
  return (Object.prototype as { then?: unknown }).then === undefined;
}

/** Have no promise that is refused end the process: nobody will ever wait for it. */
export function disown(refused: unknown): void {
  if (isThenable(refused)) Promise.resolve(refused).then(undefined, () => {});
}

/**
 * Do a step for each item in turn, synchronously for as long as the steps are.
 *
 * A step that returns a promise is awaited before the next. Nothing but the
 * end of waiting is ever carried by a promise, so that a planted `then` finds
 * no object to act on.
 */
export function inTurn<Item, State>(
  items: readonly Item[],
  state: State,
  step: (item: Item, state: State) => Promise<void> | undefined,
  from = 0,
): Promise<void> | undefined {
  for (let index = from; index < items.length; index++) {
    const pending = step(items[index] as Item, state);
    if (pending !== undefined) return pending.then(() => inTurn(items, state, step, index + 1));
  }
  return undefined;
}

/**
 * Act when the wait is over, or at once if there is none.
 *
 * The acts are functions of the module, not closures: on the way without
 * promises, closures would be most of what a guarded call allocates.
 */
export function afterwards<One, Other>(
  pending: Promise<void> | undefined,
  act: (one: One, other: Other) => void,
  one: One,
  other: Other,
): Promise<void> | undefined {
  if (pending !== undefined) return whenOver(pending, act, one, other);
  act(one, other);
  return undefined;
}

function whenOver<One, Other>(
  pending: Promise<void>,
  act: (one: One, other: Other) => void,
  one: One,
  other: Other,
): Promise<void> {
  return pending.then(() => act(one, other));
}
