import pLimit from "p-limit";
import { mintId } from "./call.js";
import type { RefusedTool } from "./catalogue.js";
import { Engine } from "./engine.js";
import { ToolstileError } from "./errors.js";
import type { EventName, RunnerEvents } from "./events.js";
import type { ForeseeOptions } from "./foresight.js";
import { checkOptions } from "./naming.js";
import { open } from "./open.js";
import type { Permit } from "./permit.js";
import type { Stopped, ToolCall, ToolDefinition, ToolOutcome } from "./protocol.js";
import type { Guardrail } from "./provider.js";
import type { CallRequest, RunOptions } from "./request.js";
import type { Answer } from "./run.js";
import type { ToolRunnerOptions } from "./runner-options.js";
import { streamed } from "./stream.js";
import { disown, isThenable } from "./thenable.js";
import type { Tool } from "./tool.js";

/** A call that was decided, and waits for whoever asked to run it. */
export interface OpenedCall {
  /** Lets a sealed tool in, once. */
  readonly permit: Permit;
  /** The call as decided: run it with exactly these arguments. */
  readonly call: ToolCall;
  /** The guards that changed the arguments, in order. */
  readonly modifiedBy: readonly string[];
  /** Say what became of it, once; `unused` gives back what it took, `unknown` is for one that nobody heard of in time. @throws ToolstileError `ERR_CLOSED` the second time. */
  readonly close: (answer: Answer) => Promise<ToolOutcome>;
  readonly outcome?: undefined;
}

/** A call that was stopped before its tool could run. */
export interface StoppedCall {
  readonly outcome: ToolOutcome;
  readonly permit?: undefined;
}

/**
 * The only code that runs a tool.
 *
 * Every call goes the same way: read, decide, admit, run once, judge the
 * result, settle. `run` resolves with an outcome for everything that a policy,
 * a guard or a tool can do, and rejects only when the caller aborts.
 *
 * The constructor throws a ToolstileError for anything in its options that
 * would be silently off: an unknown option or tool, two guards of one name, a
 * tool whose arguments nobody checks.
 */
export class ToolRunner {
  #engine: Engine;

  constructor(options: ToolRunnerOptions) {
    this.#engine = new Engine(options);
  }

  /**
   * Decide on a call, run its tool if every guard allows, and judge the result.
   *
   * @throws ToolstileError `ERR_ABORTED`, after settling, when the caller's
   * signal aborts; it carries the outcome.
   */
  run(request: CallRequest, options: RunOptions = {}): Promise<ToolOutcome> {
    return this.#engine.run(request, options);
  }

  /**
   * Run the calls of one turn. Outcomes come in the order of the calls.
   *
   * One call's failure, or an abort, is that call's outcome and no rejection. A
   * call id that comes twice is denied the second time.
   *
   * @throws ToolstileError `ERR_INVALID_OPTION` for what is no list, or a wrong concurrency.
   */
  async runAll(
    requests: readonly CallRequest[],
    options: RunOptions & { readonly concurrency?: number | undefined } = {},
  ): Promise<ToolOutcome[]> {
    if (!Array.isArray(requests)) {
      throw new ToolstileError("ERR_INVALID_OPTION", "runAll() takes a list of calls.");
    }
    const { concurrency, ...rest } = options ?? {};
    if (concurrency !== undefined && !isConcurrency(concurrency)) {
      throw new ToolstileError("ERR_INVALID_OPTION", "concurrency is a whole number from 1 on.");
    }
    const limit = pLimit(concurrency ?? Number.POSITIVE_INFINITY);
    const turnId = mintId();
    const way = {
      rejects: false,
      turnId,
      seen: new Set<string>(),
      execute: undefined,
      resumed: undefined,
    };
    return Promise.all(
      requests.map((request) => limit(() => this.#engine.run(request, rest, way))),
    );
  }

  /**
   * Run a tool that answers piece by piece; what the generator returns is the outcome.
   *
   * While any guard judges results, the pieces are held until it has judged
   * each of them. A reader who leaves aborts the tool, and the call settles.
   */
  stream(request: CallRequest, options: RunOptions = {}): AsyncGenerator<unknown, ToolOutcome> {
    return streamed(this.#engine, () => this.#engine.start(request, options));
  }

  /**
   * Decide on a call that somebody else will run.
   *
   * Gives a permit and the decided call, or the outcome where it was stopped.
   * An opened call must be closed: until then its id is taken in its session.
   */
  async open(request: CallRequest, options: RunOptions = {}): Promise<OpenedCall | StoppedCall> {
    const run = this.#engine.start(request, options);
    const opening = open(run);
    if (opening !== undefined) await opening;
    if (run.ending !== undefined) return { outcome: await this.#engine.finish(run) };
    let closed = false;
    return {
      permit: run.permit,
      call: run.call as ToolCall,
      modifiedBy: run.modifiedBy,
      close: (answer) => {
        if (closed) throw new ToolstileError("ERR_CLOSED", "This call has been closed already.");
        const read = readAnswer(answer);
        closed = true;
        run.answered = read;
        return this.#engine.finish(run);
      },
    };
  }

  /**
   * Run a call whose denial an approver has lifted in the meantime, also after a restart.
   *
   * It is the same run: with its run id, arguments, agent and context. All
   * guards are asked again; only the denial that was approved counts as lifted,
   * and only once.
   *
   * It is taken up by the runner of the agent whose call it is, lest that
   * agent's own guards be left out.
   *
   * @throws ToolstileError `ERR_APPROVAL` where no such approval was given, it
   * has been used, or the call is another agent's; `ERR_ABORTED` as `run` does.
   */
  resume(
    approvalId: string,
    options: { readonly signal?: AbortSignal | undefined } = {},
  ): Promise<ToolOutcome> {
    checkOptions("resume()", options, ["signal"]);
    return this.#engine.resume(approvalId, options.signal);
  }

  /** A runner with these guards too, whose calls carry the agent's name. It shares listeners, observers and open calls. */
  forAgent(
    agentName: string,
    options: { readonly guardrails?: readonly Guardrail[] } = {},
  ): ToolRunner {
    checkOptions("forAgent()", options, ["guardrails"]);
    const runner = new ToolRunner({ guardrails: [] });
    runner.#engine = this.#engine.child(agentName, options.guardrails ?? []);
    return runner;
  }

  /** The tools as the model may be told of them. */
  get tools(): readonly ToolDefinition[] {
    return this.#engine.catalogue.definitions;
  }

  /**
   * The denial that a call to this tool would meet now whatever its arguments;
   * nothing where that hangs on them, or cannot be told without effects.
   *
   * For lists and reports, where it is a courtesy. What decides is the call.
   */
  denialOf(toolName: string, options: ForeseeOptions = {}): Stopped | undefined {
    checkOptions("denialOf()", options, ["agentName", "context"]);
    return this.#engine.foresee(toolName, options);
  }

  /** Take on other tools in place of those before. Refused ones are returned, and calls to them denied. */
  setTools(tools: readonly Tool[]): readonly RefusedTool[] {
    return this.#engine.load(tools);
  }

  on<Name extends EventName>(name: Name, listener: RunnerEvents[Name]): this {
    this.#engine.events.on(name, listener);
    return this;
  }

  once<Name extends EventName>(name: Name, listener: RunnerEvents[Name]): this {
    this.#engine.events.once(name, listener);
    return this;
  }

  off<Name extends EventName>(name: Name, listener: RunnerEvents[Name]): this {
    this.#engine.events.off(name, listener);
    return this;
  }

  /** Deny what comes from now on, wait for what is under way, then close guards and observers. */
  close(): Promise<void> {
    return this.#engine.close();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }
}

/** The answer, read once: what it says another time must not stop the call from settling. @throws ToolstileError `ERR_INVALID_OPTION`, which leaves the call open. */
function readAnswer(answer: unknown): Answer {
  checkOptions("close()", answer, ["value", "error", "released", "unused", "unknown"]);
  const given = Object.entries(answer as object);
  const [key, value] = given[0] ?? [];
  const isMark = key === "released" || key === "unused" || key === "unknown";
  if (key === "value" && isPromise(value)) {
    disown(value);
    throw new ToolstileError(
      "ERR_INVALID_OPTION",
      "close() takes what was answered, and not the promise of it. Await it first.",
    );
  }
  if (given.length === 1 && (!isMark || value === true)) {
    return { [key as string]: value } as unknown as Answer;
  }
  throw new ToolstileError(
    "ERR_INVALID_OPTION",
    "close() takes one of { value }, { error }, { released: true }, { unused: true } and { unknown: true }.",
  );
}

/** JSON would make `{}` of it, and judges would never see what it brings. */
function isPromise(value: unknown): boolean {
  try {
    return isThenable(value);
  } catch {
    // A getter of its own threw: it is read as an answer, and found to be none.
    return false;
  }
}

function isConcurrency(value: unknown): boolean {
  return value === Number.POSITIVE_INFINITY || (Number.isSafeInteger(value) && Number(value) >= 1);
}
