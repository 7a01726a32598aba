import { readResult } from "../call/result.js";
import { type StreamedTexts, setAmong } from "../call/streamed-texts.js";
import { Deliberation } from "../guard/deliberation.js";
import type { Guard } from "../guard/guard.js";
import { ownValue } from "../json/own.js";
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
    const judged: unknown[] = [];
    if (held !== undefined && !(isRead(run) && (await judgePieces(run, judges, held, judged)))) {
      judged.length = 0;
    }
    const outcome = await this.#pipeline.finish(run);
    if (outcome.status === "executed" || outcome.status === "failed") yield* judged;
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
 * Judges each item as if it were the result, and texts that follow one another also as one text: what is divided over two
 * of them is found in neither. A withheld item withholds the result of the call.
 *
 * @returns false if no item may be given.
 */
async function judgePieces(
  run: ReadRun,
  judges: readonly Guard[],
  held: readonly unknown[],
  pieces: unknown[],
): Promise<boolean> {
  try {
    for (let from = 0; from < held.length && run.stop === undefined; ) {
      let to = from + 1;
      while (isText(held[from]) && isText(held[to])) to += 1;
      await judgeTogether(run, judges, held.slice(from, to), pieces);
      from = to;
    }
    return run.stop === undefined;
  } catch (error) {
    run.answered = { error };
    return false;
  }
}

const isText = (item: unknown): item is string => typeof item === "string";

/** Judges one item, or texts that follow one another. */
async function judgeTogether(
  run: ReadRun,
  judges: readonly Guard[],
  items: readonly unknown[],
  pieces: unknown[],
): Promise<void> {
  const judged: unknown[] = [];
  for (let at = 0; at < items.length && run.stop === undefined; at++) {
    const among = items.length > 1 ? { texts: items as readonly string[], at } : undefined;
    await judge(run, judges, items[at], judged, among);
  }
  const whole = judged.map(textIn).join("");
  const together: unknown[] = [];
  if (items.length > 1 && run.stop === undefined) await judge(run, judges, whole, together);
  const isChanged = together.length > 0 && textIn(together[0]) !== whole;
  // A text that a judge has changed is one piece: nobody knows which part of it was which.
  if (isChanged) pieces.push(together[0]);
  for (const piece of judged) if (!isChanged || textIn(piece) === undefined) pieces.push(piece);
}

/** The text of a piece, also where a judge has made parts of it; undefined for anything else. */
function textIn(piece: unknown): string | undefined {
  if (isText(piece)) return piece;
  const texts = Array.isArray(piece) ? piece.map((part) => ownValue(part, "text")) : [undefined];
  return texts.every(isText) ? texts.join("") : undefined;
}

/** Adds the item as the judges leave it. No promise carries it: a planted `then` would find it. */
async function judge(
  run: ReadRun,
  judges: readonly Guard[],
  item: unknown,
  judged: unknown[],
  among?: StreamedTexts,
): Promise<void> {
  const { call, records } = run;
  const result = readResult(item, call.callId, call.requestedName);
  if (among !== undefined) setAmong(result, among);
  const deliberation = new Deliberation(judges, "result", call, result, records);
  await deliberation.run();
  if (run.aborted) abort(run, "unknown");
  if (run.stop !== undefined) return;
  if (deliberation.denial !== undefined) refuseAs(run, "withheld", deliberation.denial);
  const { content, structured } = deliberation.result ?? result;
  judged.push(structured === undefined ? content : structured);
}
