import { Permit } from "../call/permit.js";
import type { CallContext } from "../protocol/guardrail.js";
import { BoundedWait, isThenable } from "../time/wait.js";
import type { RegisteredTool } from "../tool/registry.js";
import type { ToolContext } from "../tool/tool.js";
import type { PermittedRun, ToolAnswer } from "./run.js";
import { abort, stop } from "./stop.js";

/**
 * Runs the tool. This is the one crossing from decided to running.
 *
 * It spends the permit, which only a finished `open` mints, for this call and
 * these arguments. The tool gets exactly the last snapshot.
 */
function dispatch(run: PermittedRun, execute: NonNullable<RegisteredTool["execute"]>): unknown {
  Permit.spend(run.permit, run.call);
  run.dispatchedAt = run.scope.terms.clock.now();
  return execute(run.call.args, new RunToolContext(run));
}

/** The facts that a tool is told of its run. The tool can change nothing by them, and sees no receipt. */
class RunToolContext implements ToolContext {
  readonly callId: string;
  readonly toolName: string;
  readonly requestedName: string;
  readonly agentName: string | undefined;
  readonly context: CallContext;
  readonly permit: Permit;
  readonly #run: PermittedRun;

  constructor(run: PermittedRun) {
    this.callId = run.call.callId;
    this.toolName = run.call.toolName;
    this.requestedName = run.call.requestedName;
    this.agentName = run.call.agentName;
    this.context = run.call.context;
    this.permit = run.permit;
    this.#run = run;
  }

  get runId(): string {
    return this.#run.call.runId;
  }

  get signal(): AbortSignal {
    return this.#run.scope.signal;
  }
}

/**
 * Starts the tool of a permitted run, once.
 *
 * A tool without a function is released to the caller.
 *
 * @returns a promise or a stream that must be awaited; an immediate answer is noted.
 */
export function start(
  run: PermittedRun,
): PromiseLike<unknown> | AsyncIterable<unknown> | undefined {
  const { tool } = run.intake;
  const execute = tool?.declaredOnly === true ? undefined : (run.mode.execute ?? tool?.execute);
  // The caller may have aborted while the permit was awaited.
  if (run.aborted) {
    abort(run, false);
    return undefined;
  }
  if (execute === undefined) {
    run.answered = { released: true };
    return undefined;
  }
  try {
    const value = dispatch(run, execute);
    if (isThenable(value) || isAsyncIterable(value)) return value;
    run.answered = { value };
  } catch (error) {
    run.answered = { error };
  }
  return undefined;
}

/** True if the caller or the clock may end the wait for a tool. */
export function isWatched(run: PermittedRun): boolean {
  return run.scope.caller !== undefined || run.intake.tool?.timeoutMs !== undefined;
}

/** Notes the value of a tool's promise. @returns the value if it is a stream, which has yet to be read. */
export function noteValue(run: PermittedRun, value: unknown): AsyncIterable<unknown> | undefined {
  if (isAsyncIterable(value)) return value;
  run.answered = { value };
  return undefined;
}

/** Returns the answer of a tool if it is a stream, which has yet to be read. */
export function answeredStream(run: PermittedRun): AsyncIterable<unknown> | undefined {
  const value = answeredValue(run);
  return isAsyncIterable(value) ? value : undefined;
}

/** Reads the stream of a tool to its end, no longer than it is wanted, and notes its answer. */
export async function readToEnd(
  run: PermittedRun,
  stream: AsyncIterable<unknown>,
  watch: ToolWatch,
): Promise<void> {
  const reader = items(run, stream, watch);
  while ((await reader.next()).done !== true);
}

/**
 * Yields the items of a streaming tool as they come.
 *
 * The value it returns, or else its last item, is noted as its answer. A tool
 * that does not stream gives no items.
 */
export async function* items(
  run: PermittedRun,
  pending: PromiseLike<unknown> | AsyncIterable<unknown>,
  watch: ToolWatch,
): AsyncGenerator<unknown, void> {
  try {
    if (isThenable(pending) && run.answered === undefined) await watch.wait(pending);
    const value = run.answered === undefined ? pending : answeredValue(run);
    if (!isAsyncIterable(value)) return;
    const iterator = value[Symbol.asyncIterator]();
    let last: unknown;
    for (;;) {
      run.answered = undefined;
      if (run.stop === undefined) await watch.wait(iterator.next());
      if (run.answered === undefined) {
        // The reader, the caller or the clock ended it. The tool is told, and is not awaited.
        Promise.resolve(iterator.return?.()).catch(() => undefined);
        return;
      }
      const step = answeredValue(run) as IteratorResult<unknown> | undefined;
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

function answeredValue({ answered }: { answered?: ToolAnswer | undefined }): unknown {
  return answered !== undefined && "value" in answered && Object.hasOwn(answered, "value")
    ? answered.value
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
 * The wait for a running tool. The caller, the deadline, or a reader who leaves
 * may end it.
 *
 * The effect of the tool is unknown after that. The run ends as `aborted` or
 * `unknown`, and a late answer is dropped.
 */
export class ToolWatch {
  readonly #run: PermittedRun;
  readonly #bounded: BoundedWait;
  #wake: (() => void) | undefined;

  constructor(run: PermittedRun) {
    this.#run = run;
    const bounds = run.scope.bounds(run.intake.tool?.timeoutMs ?? Number.POSITIVE_INFINITY);
    this.#bounded = new BoundedWait(bounds, (why) => this.#over(why));
  }

  /** Ends the run as an abort of the caller does, even if the tool is over and its answer is being judged. */
  leave(): void {
    this.#over("aborted");
  }

  #over(why: "timeout" | "aborted"): void {
    const run = this.#run;
    if (run.stop !== undefined) return;
    if (why === "aborted") abort(run, "unknown");
    else stop(run, { status: "unknown" });
    run.scope.end(new Error("no longer wanted"));
    this.#wake?.();
  }

  /** Notes the end of the promise, unless the wait is over before. */
  wait(pending: PromiseLike<unknown>): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve;
      if (this.#run.stop !== undefined) resolve();
      this.#bounded.wait(pending, (end, what) => {
        this.#run.answered = end === "value" ? { value: what } : { error: what };
        resolve();
      });
    });
  }

  stop(): void {
    this.#bounded.stop();
  }
}
