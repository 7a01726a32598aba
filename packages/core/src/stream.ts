import type { Call } from "./call.js";
import { begin, pieces, Watch } from "./dispatch.js";
import { abortion, type Engine } from "./engine.js";
import { Fold } from "./fold.js";
import { open } from "./open.js";
import type { Awaitable, ToolOutcome, ToolResult } from "./protocol.js";
import { readResult } from "./result.js";
import type { Run } from "./run.js";

/**
 * The whole path, piece by piece.
 *
 * `return` is our own: an async generator would keep a reader who leaves
 * waiting behind the piece that is under way.
 */
export function streamed(
  engine: Engine,
  start: () => Awaitable<Run>,
): AsyncGenerator<unknown, ToolOutcome> {
  const reader = new Reader(engine, start);
  const read = reader.read();
  const leave = async (): Promise<void> => {
    reader.leave();
    // To the end: the call settles, whoever reads.
    while ((await read.next()).done !== true);
  };
  const generator: AsyncGenerator<unknown, ToolOutcome> = {
    next: () => read.next(),
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

/** The pieces, and the result as the last of them, as a workbench gives them. */
export function endingWithResult(
  pieces: AsyncGenerator<unknown, ToolOutcome>,
): AsyncGenerator<unknown, void> {
  const over = { done: true, value: undefined } as const;
  let ended = false;
  const leave = async (): Promise<void> => {
    ended = true;
    await pieces.return(undefined as never);
  };
  const generator: AsyncGenerator<unknown, void> = {
    next: async () => {
      if (ended) return over;
      const step = await pieces.next();
      if (step.done !== true) return step;
      if (ended) return over;
      ended = true;
      return { done: false, value: step.value.result };
    },
    return: async () => {
      await leave();
      return over;
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
  readonly #engine: Engine;
  readonly #start: () => Awaitable<Run>;
  #watch: Watch | undefined;
  #left = false;

  constructor(engine: Engine, start: () => Awaitable<Run>) {
    this.#engine = engine;
    this.#start = start;
  }

  leave(): void {
    this.#left = true;
    this.#watch?.leave();
  }

  async *read(): AsyncGenerator<unknown, ToolOutcome> {
    // Nobody has read anything yet, so nothing was asked for.
    if (this.#left) return undefined as never;
    const run = await this.#start();
    const opening = open(run);
    if (opening !== undefined) await opening;
    if (this.#left) run.ending ??= { status: "aborted", executed: false };

    const held: unknown[] | undefined = mustHold(run) ? [] : undefined;
    const pending = run.ending === undefined ? begin(run) : undefined;
    if (pending !== undefined) {
      this.#watch = new Watch(run);
      try {
        for await (const piece of pieces(run, pending, this.#watch)) {
          if (held === undefined) yield piece;
          else held.push(piece);
        }
      } catch (error) {
        // To hand a piece on reads its `then`, which may be a getter that throws.
        run.answered = { error };
      }
    }
    const judged = held === undefined ? [] : await judge(run, held);
    const outcome = await this.#engine.finish(run);
    if (outcome.status === "executed" || outcome.status === "failed") yield* judged;
    if (outcome.status === "aborted" && !this.#left) throw abortion(outcome, run.scope.caller);
    return outcome;
  }
}

/** Whether somebody may yet keep the result from the reader: a judge, or a record that must be written. */
function mustHold({ policy, settings }: Run): boolean {
  return policy.result.length > 0 || settings.observers.some(({ required }) => required === true);
}

/** Judge each piece as if it were the result. One that is withheld withholds the call. */
async function judge(run: Run, held: readonly unknown[]): Promise<readonly unknown[]> {
  const judged: unknown[] = [];
  for (const piece of held) {
    if (run.ending !== undefined) return [];
    try {
      const result = readResult(piece, run.callId, run.requestedName);
      const fold = new Fold(run.policy.result, "result", run.call as Call, result, run.records);
      const pending = fold.run();
      if (pending !== undefined) await pending;
      if (run.aborted) run.ending ??= { status: "aborted", executed: "unknown" };
      if (run.ending !== undefined) return [];
      if (fold.denial !== undefined) {
        const { basis, decidedBy, code, reason, replacement } = fold.denial;
        run.ending = {
          status: "withheld",
          basis,
          decidedBy: decidedBy ?? "core",
          code,
          reason: reason ?? "policy violation",
          replacement,
        };
      }
      const { content, structured } = fold.result as ToolResult;
      judged.push(structured === undefined ? content : structured);
    } catch (error) {
      run.answered = { error };
      return [];
    }
  }
  return judged;
}
