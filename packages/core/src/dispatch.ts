import type { Call } from "./call.js";
import type { Entry } from "./catalogue.js";
import { deadline } from "./clock.js";
import { Permit } from "./permit.js";
import type { Run } from "./run.js";
import { isThenable } from "./thenable.js";

/**
 * 7. The one crossing from decided to running.
 *
 * It spends the permit, which only a finished `open` mints, for this call and
 * these arguments; what the tool gets is exactly the last snapshot.
 */
function dispatch(permit: Permit, execute: NonNullable<Entry["execute"]>, run: Run): unknown {
  Permit.spend(permit, run.call as Call);
  if (run.settings.observed()) run.dispatchedAt = run.scope.clock.now();
  return execute((run.call as Call).args, run.toolContext);
}

/**
 * Start the tool of a permitted run, once.
 *
 * A tool without a function is released to whoever asked.
 *
 * @returns what must be waited for; with an immediate answer, that is noted.
 */
export function begin(run: Run): PromiseLike<unknown> | AsyncIterable<unknown> | undefined {
  const { entry } = run;
  const execute = entry?.declaredOnly === true ? undefined : (run.execute ?? entry?.execute);
  // Whoever waited for the permit may have waited for an abort.
  if (run.aborted) {
    run.ending = { status: "aborted", executed: false };
    return undefined;
  }
  if (execute === undefined) {
    run.answered = { released: true };
    return undefined;
  }
  try {
    const value = dispatch(run.permit, execute, run);
    if (isThenable(value) || isAsyncIterable(value)) return value;
    run.answered = { value };
  } catch (error) {
    run.answered = { error };
  }
  return undefined;
}

/**
 * Run the tool to its end and note what it answered.
 *
 * @returns a promise only if the tool does; it never rejects.
 */
export function perform(run: Run): Promise<void> | undefined {
  const pending = begin(run);
  return pending === undefined ? undefined : exhaust(run, pending);
}

async function exhaust(
  run: Run,
  pending: PromiseLike<unknown> | AsyncIterable<unknown>,
): Promise<void> {
  let watch: Watch | undefined;
  try {
    const { caller } = run.scope;
    if (isThenable(pending) && caller === undefined && run.entry?.timeoutMs === undefined) {
      // Nobody and nothing can end the wait, so nothing need watch it.
      run.answered = { value: await pending };
      if (!isAsyncIterable(settledValue(run))) return;
    }
    watch = new Watch(run);
    if (isThenable(pending) && run.answered === undefined) {
      await watch.wait(pending);
      if (!isAsyncIterable(settledValue(run))) return;
    }
    const reader = pieces(run, pending, watch);
    while ((await reader.next()).done !== true);
  } catch (error) {
    // It was refused, or what it brought throws when it is looked at, as a proxy may.
    run.answered = { error };
  } finally {
    watch?.stop();
  }
}

/**
 * The items of a streaming tool as they come.
 *
 * The value it returns, or else its last item, is noted as its answer. A tool
 * that does not stream gives no items.
 */
export async function* pieces(
  run: Run,
  pending: PromiseLike<unknown> | AsyncIterable<unknown>,
  watch: Watch,
): AsyncGenerator<unknown, void> {
  try {
    if (isThenable(pending) && run.answered === undefined) await watch.wait(pending);
    const value = run.answered === undefined ? pending : settledValue(run);
    if (!isAsyncIterable(value)) return;
    const iterator = value[Symbol.asyncIterator]();
    let last: unknown;
    for (;;) {
      run.answered = undefined;
      if (run.ending === undefined) await watch.wait(iterator.next());
      if (run.answered === undefined) {
        // The reader, the caller or the clock ended it. The tool is told, and not waited for.
        Promise.resolve(iterator.return?.()).catch(() => undefined);
        return;
      }
      const step = settledValue(run) as IteratorResult<unknown> | undefined;
      if (step === undefined) return;
      if (step.done === true) {
        run.answered = { value: step.value === undefined ? last : step.value };
        return;
      }
      last = step.value;
      yield last;
    }
  } catch (error) {
    run.answered = { error };
  } finally {
    watch.stop();
  }
}

function settledValue({ answered }: Run): unknown {
  return answered !== undefined && Object.hasOwn(answered, "value")
    ? (answered as { value: unknown }).value
    : undefined;
}

function isAsyncIterable(value: unknown): value is AsyncIterable<unknown> {
  return (
    typeof value === "object" &&
    value !== null &&
    typeof (value as Partial<AsyncIterable<unknown>>)[Symbol.asyncIterator] === "function"
  );
}

/**
 * What ends the wait for a tool that is running: its caller, its deadline, or a
 * reader who leaves.
 *
 * What the tool does after that is nobody's to know. The run ends as `aborted`
 * or `unknown`, and a late answer is dropped.
 */
export class Watch {
  readonly #run: Run;
  readonly #cancel: () => void;
  #wake: (() => void) | undefined;

  constructor(run: Run) {
    this.#run = run;
    const { caller, clock } = run.scope;
    caller?.addEventListener("abort", this.leave, { once: true });
    this.#cancel = deadline(clock, run.entry?.timeoutMs ?? Number.POSITIVE_INFINITY, () =>
      this.#over({ status: "unknown" }),
    );
    if (caller?.aborted === true) this.leave();
  }

  readonly leave = (): void => this.#over({ status: "aborted", executed: "unknown" });

  #over(ending: NonNullable<Run["ending"]>): void {
    if (this.#run.ending !== undefined) return;
    this.#run.ending = ending;
    this.stop();
    this.#run.scope.end(new Error("no longer wanted"));
    this.#wake?.();
  }

  /** Note what the promise brings, unless the wait is over before. */
  wait(pending: PromiseLike<unknown>): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve;
      const note = (answer: NonNullable<Run["answered"]>): void => {
        if (this.#run.ending === undefined) this.#run.answered = answer;
        resolve();
      };
      if (this.#run.ending !== undefined) resolve();
      Promise.resolve(pending).then(
        (value) => note({ value }),
        (error: unknown) => note({ error }),
      );
    });
  }

  stop(): void {
    this.#cancel();
    this.#run.scope.caller?.removeEventListener("abort", this.leave);
  }
}
