import { type CallerSignal, listen, unlisten } from "./abort.js";
import type { Clock } from "./clock.js";
import { deadline } from "./deadline.js";

/**
 * True if a value must be awaited.
 *
 * A `then` on `Object.prototype` was planted there, and does not make a value a
 * promise.
 */
export function isThenable(value: unknown): value is PromiseLike<unknown> {
  if (value === null || (typeof value !== "object" && typeof value !== "function")) return false;
  const then: unknown = (value as { then?: unknown }).then;
  return typeof then === "function" && then !== (Object.prototype as { then?: unknown }).then;
}

/**
 * True while awaiting can be trusted. With a `then` planted on `Object.prototype`
 * JavaScript itself calls it on every awaited object, so an awaited answer may
 * not be the provider's. A planted `then` may remove itself when it is called:
 * check when a promise is given, and again when it has its value.
 */
export function canTrustAwait(): boolean {
  return (Object.prototype as { then?: unknown }).then === undefined;
}

/** Silences a rejection, which would end the process: the value is discarded. */
export function ignoreRejection(discarded: unknown): void {
  if (isThenable(discarded)) Promise.resolve(discarded).then(undefined, () => {});
}

/**
 * The limits of a wait: it lasts until its time is over, or until the caller aborts. Every
 * field is required: a missing one could be inherited from a polluted prototype.
 */
export interface Bounds {
  readonly clock: Clock;
  /** Milliseconds; `Infinity` for no deadline. */
  readonly timeoutMs: number;
  readonly caller: CallerSignal | undefined;
}

/** The end of a wait: the promise's value or its error, or what came first. */
export type WaitEnd = "value" | "error" | "timeout" | "aborted";

/**
 * Waits that end together, at one deadline or at one abort.
 *
 * `over` is told once, if that comes before `stop()`; what a promise brings
 * after that is dropped.
 */
export class BoundedWait {
  readonly #caller: CallerSignal | undefined;
  readonly #over: (why: "timeout" | "aborted") => void;
  readonly #cancel: () => void;
  #isOver = false;

  constructor({ clock, timeoutMs, caller }: Bounds, over: (why: "timeout" | "aborted") => void) {
    this.#caller = caller;
    this.#over = over;
    this.#cancel = deadline(clock, timeoutMs, () => this.#end("timeout"));
    try {
      if (caller?.aborted === true) this.abort();
      else if (caller !== undefined) listen(caller, this.abort);
    } catch (error) {
      // A value that is not a signal cannot end the wait. The deadline must not end it later either.
      this.stop();
      throw error;
    }
  }

  /** Ends the waits as the caller's abort does. */
  readonly abort = (): void => this.#end("aborted");

  /** Tells what the promise brings, unless the waits are over before. */
  wait(pending: PromiseLike<unknown>, done: (end: WaitEnd, what: unknown) => void): void {
    const settled = (end: WaitEnd, what: unknown): void => {
      if (!this.#isOver) done(end, what);
    };
    try {
      Promise.resolve(pending).then(
        (value) => settled("value", value),
        (error: unknown) => settled("error", error),
      );
    } catch (error) {
      // A native promise can carry a `then` or a `constructor` of its own.
      settled("error", error);
    }
  }

  stop(): void {
    this.#isOver = true;
    this.#cancel();
    try {
      if (this.#caller !== undefined) unlisten(this.#caller, this.abort);
    } catch {
      // Who does not let go of it calls it for nothing: the waits are over.
    }
  }

  #end(why: "timeout" | "aborted"): void {
    if (this.#isOver) return;
    this.stop();
    this.#over(why);
  }
}

/** Waits for one promise within bounds, and tells the end once. It never throws. */
export function waitFor(
  pending: PromiseLike<unknown>,
  bounds: Bounds,
  done: (end: WaitEnd, what: unknown) => void,
): void {
  const bounded = new BoundedWait(bounds, (why) => done(why, undefined));
  bounded.wait(pending, (end, what) => {
    bounded.stop();
    done(end, what);
  });
}

/**
 * The value of a promise; or what `over` answers or throws, if the time is over or the caller aborts before.
 *
 * @throws what the promise rejects with, and what `over` throws.
 */
export function valueWithin<Value>(
  bounds: Bounds,
  pending: PromiseLike<Value>,
  over: (why: "timeout" | "aborted") => Value,
): Promise<Value> {
  return new Promise((resolve, reject) => {
    waitFor(pending, bounds, (end, what) => {
      try {
        if (end === "error") reject(what);
        else resolve(end === "value" ? (what as Value) : over(end));
      } catch (error) {
        reject(error);
      }
    });
  });
}

/** A value on its way through promises of core's own, without a prototype for a planted `then` to be found on. */
export class Carried {
  readonly value: unknown;

  constructor(value: unknown) {
    this.value = value;
  }
}
Object.setPrototypeOf(Carried.prototype, null);

/**
 * The value of an answer that may be a promise; nothing, if the caller aborts before.
 *
 * @throws what the promise rejects with; an Error if the time is over; a TypeError if awaiting
 * cannot be trusted.
 */
export function within(bounds: Bounds, answer: unknown): Promise<Carried | undefined> {
  return new Promise((resolve, reject) => {
    const bring = (value: unknown): void => {
      if (canTrustAwait()) resolve(new Carried(value));
      else reject(new TypeError("A then is planted on Object.prototype."));
    };
    if (!isThenable(answer) || !canTrustAwait()) {
      ignoreRejection(answer);
      bring(answer);
      return;
    }
    waitFor(answer, bounds, (end, what) => {
      if (end === "value") bring(what);
      else if (end === "aborted") resolve(undefined);
      else reject(end === "timeout" ? new Error(`No answer within ${bounds.timeoutMs} ms.`) : what);
    });
  });
}

/**
 * Does a step for each item in turn, synchronously for as long as the steps are.
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
 * Acts when the wait is over, or at once if there is none.
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
  if (pending !== undefined) return pending.then(() => act(one, other));
  act(one, other);
  return undefined;
}
