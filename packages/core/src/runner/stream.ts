import { readResult } from "../call/result.js";
import { Deliberation } from "../guard/deliberation.js";
import type { Guard } from "../guard/guard.js";
import type { ToolOutcome } from "../protocol/outcome.js";
import { items, start, ToolWatch } from "../run/execute.js";
import { abortion } from "../run/outcome.js";
import { isPermitted, isRead, type ReadRun, type Run } from "../run/run.js";
import { open } from "../run/steps.js";
import { abort, refuseAs } from "../run/stop.js";
import type { Pipeline } from "./pipeline.js";

/**
 * Runs a call over the whole path, and yields the tool's items.
 *
 * The generator has its own `return`: that of an async generator would make a
 * reader who leaves wait for the item that is under way.
 */
export function streamed(
  pipeline: Pipeline,
  start: () => Run,
  ready?: () => Promise<void>,
): AsyncGenerator<unknown, ToolOutcome> {
  const reader = new Reader(pipeline, start, ready);
  const read = reader.read();
  const leave = async (): Promise<void> => {
    reader.leave();
    // Read to the end, so that the call settles without its reader.
    while ((await read.next()).done !== true);
  };
  return generatorOf(() => read.next(), leave);
}

/** Yields the items, and the result as the last of them, as a workbench does. */
export function endingWithResult(
  items: AsyncGenerator<unknown, ToolOutcome>,
): AsyncGenerator<unknown, void> {
  let ended = false;
  const leave = async (): Promise<void> => {
    ended = true;
    await items.return(undefined as never);
  };
  const next = async (): Promise<IteratorResult<unknown, void>> => {
    const step = await items.next();
    if (step.done !== true) return step;
    if (ended) return { done: true, value: undefined };
    ended = true;
    return { done: false, value: step.value.result };
  };
  return generatorOf(next, leave);
}

/** A generator whose reader may leave at any time. */
function generatorOf<End>(
  next: () => Promise<IteratorResult<unknown, End>>,
  leave: () => Promise<void>,
): AsyncGenerator<unknown, End> {
  const generator: AsyncGenerator<unknown, End> = {
    next,
    return: async (value) => {
      await leave();
      return { done: true, value: await value };
    },
    throw: async (error) => {
      await leave();
      throw error;
    },
    [Symbol.asyncIterator]: () => generator,
    [Symbol.asyncDispose]: leave,
  };
  return generator;
}

class Reader {
  readonly #pipeline: Pipeline;
  readonly #start: () => Run;
  readonly #ready: (() => Promise<void>) | undefined;
  #watch: ToolWatch | undefined;
  #left = false;

  constructor(pipeline: Pipeline, start: () => Run, ready: (() => Promise<void>) | undefined) {
    this.#pipeline = pipeline;
    this.#start = start;
    this.#ready = ready;
  }

  leave(): void {
    this.#left = true;
    this.#watch?.leave();
  }

  async *read(): AsyncGenerator<unknown, ToolOutcome> {
    // The reader left before its first read, so there is no call.
    if (this.#left) return undefined as never;
    await this.#ready?.();
    const run = this.#start();
    await open(run);
    if (this.#left) abort(run, false);

    const judges = judgesOfPieces(run);
    const held: unknown[] | undefined = mustHold(run, judges) ? [] : undefined;
    const pending = isPermitted(run) ? start(run) : undefined;
    if (isPermitted(run) && pending !== undefined) {
      try {
        this.#watch = new ToolWatch(run);
        for await (const item of items(run, pending, this.#watch)) {
          if (held === undefined) yield item;
          else held.push(item);
        }
      } catch (error) {
        // Yielding an item reads its `then`, which may be a getter that throws. The caller's signal may throw when it is listened to.
        run.answered = { error };
      }
    }
    const judged =
      held === undefined || !isRead(run) ? undefined : await judgedPieces(run, judges, held);
    const outcome = await this.#pipeline.finish(run);
    if (outcome.status === "executed" || outcome.status === "failed") yield* judged ?? [];
    if (outcome.status === "aborted" && !this.#left) throw abortion(outcome, run.scope.caller);
    return outcome;
  }
}

/** The guards that judge each piece of a stream. Others judge its whole only. */
function judgesOfPieces({ intake: { guards, tool } }: Run): readonly Guard[] {
  if (tool === undefined) return guards.result;
  return guards.result.filter((guard) => guard.judgesPieces(tool.definition));
}

/** True if pieces may yet be kept from the reader: by a guard that judges them, or a record that must be written. */
function mustHold(run: Run, judges: readonly Guard[]): boolean {
  return judges.length > 0 || run.runner.observers.some(({ required }) => required === true);
}

/**
 * Judges each item as if it were the result, and then texts that follow one another as one text: what is divided over two
 * of them is found in neither.
 *
 * @returns the items for the reader; undefined if none may be given. A withheld item withholds the result of the call.
 */
async function judgedPieces(
  run: ReadRun,
  judges: readonly Guard[],
  held: readonly unknown[],
): Promise<readonly unknown[] | undefined> {
  const alone: unknown[] = [];
  const pieces: unknown[] = [];
  try {
    for (const item of held) {
      const judged = await judge(run, judges, item);
      if (judged === undefined) return undefined;
      alone.push(judged.item);
    }
    for (let at = 0; at < alone.length; ) {
      let end = at + 1;
      while (typeof alone[at] === "string" && typeof alone[end] === "string") end += 1;
      const texts = alone.slice(at, end);
      at = end;
      const whole = texts.join("");
      const judged = texts.length > 1 ? await judge(run, judges, whole) : undefined;
      if (run.stop !== undefined) return undefined;
      // A text that a judge has changed is one piece: nobody knows which part of it was which.
      const isChanged = judged !== undefined && judged.item !== whole;
      for (const piece of isChanged ? [judged.item] : texts) pieces.push(piece);
    }
    return pieces;
  } catch (error) {
    run.answered = { error };
    return undefined;
  }
}

/** The item as the judges leave it; undefined if the run stops at it. */
async function judge(
  run: ReadRun,
  judges: readonly Guard[],
  item: unknown,
): Promise<{ readonly item: unknown } | undefined> {
  const { call, records } = run;
  if (run.stop !== undefined) return undefined;
  const result = readResult(item, call.callId, call.requestedName);
  const deliberation = new Deliberation(judges, "result", call, result, records);
  await deliberation.run();
  if (run.aborted) abort(run, "unknown");
  else if (deliberation.denial !== undefined) refuseAs(run, "withheld", deliberation.denial);
  if (run.stop !== undefined) return undefined;
  const { content, structured } = deliberation.result ?? result;
  return { item: structured === undefined ? content : structured };
}
