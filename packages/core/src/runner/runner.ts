/// <reference lib="esnext.disposable" preserve="true" />
// `Symbol.asyncDispose` stands in the types of many packages. With this, TypeScript knows it without Node's types, too.

import pLimit from "p-limit";
import { mintId } from "../call/head.js";
import type { Permit } from "../call/permit.js";
import type { CallRequest, HostContext, RunOptions } from "../call/request.js";
import { ToolstileError } from "../errors/error.js";
import { wrongValue } from "../errors/option-error.js";
import { such, unchecked } from "../errors/option-reader.js";
import { whole } from "../errors/option-readers.js";
import { type OptionTable, readOptions } from "../errors/options.js";
import type { Guardrail } from "../guard/define.js";
import type { ToolCall, ToolDefinition } from "../protocol/guardrail.js";
import type { Stopped, ToolOutcome } from "../protocol/outcome.js";
import { isPermitted, type ToolAnswer } from "../run/run.js";
import { open } from "../run/steps.js";
import type { RefusedTool } from "../tool/refused-tool.js";
import type { Tool } from "../tool/tool.js";
import { type DenialOfOptions, denials } from "./denial-of.js";
import type { EventName, RunnerEvents } from "./events.js";
import { resumeOptions, type ToolRunnerOptions } from "./options.js";
import { Pipeline } from "./pipeline.js";
import { readAnswer, shallowCopy } from "./read-answer.js";
import { streamed } from "./stream.js";

/** A call that was decided on, and that the caller now runs. */
export interface OpenedCall {
  /** The proof that lets a sealed tool run, once. */
  readonly permit: Permit;
  /** The call as decided: run it with exactly these arguments. */
  readonly call: ToolCall;
  /** The guards that changed the arguments, in order. */
  readonly modifiedBy: readonly string[];
  /** Takes the answer of the tool, once: `unused` gives back quota, `unknown` is for a tool that did not answer in time. @throws ToolstileError `ERR_CLOSED` the second time. */
  readonly close: (answer: ToolAnswer) => Promise<ToolOutcome>;
  readonly outcome?: undefined;
}

/** A call that was stopped before its tool could run. */
export interface StoppedCall {
  readonly outcome: ToolOutcome;
  readonly permit?: undefined;
}

const concurrencyOption = whole(1).or(Number.POSITIVE_INFINITY).default(Number.POSITIVE_INFINITY);

/** These are not checked here: a fault in them denies the call, with its reason. */
const callerOptions = {
  agentName: unchecked<string>(),
  context: unchecked<HostContext>(),
} satisfies OptionTable<DenialOfOptions>;

/**
 * The only code that runs a tool.
 *
 * Every call takes the same steps: read, decide, admit, run once, judge the
 * result, settle. `run` resolves with an outcome for everything that a policy,
 * a guard or a tool can do, and rejects only when the caller aborts.
 *
 * The constructor throws a ToolstileError for anything in its options that
 * would silently have no effect: an unknown option or tool, two guards of one
 * name, a tool whose arguments no guard checks.
 */
export class ToolRunner {
  #pipeline: Pipeline;

  constructor(options: ToolRunnerOptions) {
    this.#pipeline = new Pipeline(options);
  }

  /**
   * Decides on a call, runs its tool if every guard allows, and judges the result.
   *
   * @throws ToolstileError `ERR_ABORTED`, after settling, when the caller's
   * signal aborts; it carries the outcome.
   */
  run(request: CallRequest, options?: RunOptions): Promise<ToolOutcome> {
    return this.#pipeline.run(request, options);
  }

  /**
   * Runs the calls of one turn. Outcomes come in the order of the calls.
   *
   * A failure or an abort of one call is that call's outcome, and does not reject.
   * A call id that comes twice is denied the second time.
   *
   * @throws ToolstileError `ERR_INVALID_OPTION` if the calls are not a list, or for a wrong concurrency.
   */
  async runAll(
    requests: readonly CallRequest[],
    options: RunOptions & { readonly concurrency?: number | undefined } = {},
  ): Promise<ToolOutcome[]> {
    if (!Array.isArray(requests)) {
      throw wrongValue("ERR_INVALID_OPTION", "runAll()", "the calls", "an array", requests);
    }
    const { concurrency, ...rest } = shallowCopy("runAll()", options);
    const limit = pLimit(concurrencyOption.read(concurrency, "runAll()", "concurrency"));
    const turnId = mintId();
    const mode = {
      rejects: false,
      turnId,
      seen: new Set<string>(),
      execute: undefined,
      resumed: undefined,
    };
    return Promise.all(
      // map() would skip a hole.
      Array.from(requests, (request) => limit(() => this.#pipeline.run(request, rest, mode))),
    );
  }

  /**
   * Runs a tool that answers item by item. The generator returns the outcome.
   *
   * If a guard judges the pieces of this tool, they are held until it has judged
   * each of them. The result is judged by all guards that judge results; a tool
   * that returns no value gives its last piece first. A reader who leaves aborts
   * the tool, and the call settles.
   */
  stream(request: CallRequest, options?: RunOptions): AsyncGenerator<unknown, ToolOutcome> {
    return streamed(this.#pipeline, () => this.#pipeline.start(request, options));
  }

  /**
   * Decides on a call that the caller will run.
   *
   * It gives a permit and the decided call, or the outcome of a call that was
   * stopped. An opened call must be closed: until then its id is taken in its session.
   */
  async open(request: CallRequest, options?: RunOptions): Promise<OpenedCall | StoppedCall> {
    const run = this.#pipeline.start(request, options);
    const opening = open(run);
    if (opening !== undefined) await opening;
    if (!isPermitted(run)) return { outcome: await this.#pipeline.finish(run) };
    let closed = false;
    return {
      permit: run.permit,
      call: run.call,
      modifiedBy: run.modifiedBy,
      close: (answer) => {
        if (closed) throw new ToolstileError("ERR_CLOSED", "This call has been closed already.");
        const read = readAnswer(answer);
        closed = true;
        run.answered = read;
        return this.#pipeline.finish(run);
      },
    };
  }

  /**
   * Runs a call whose denial an approver has lifted in the meantime, also after a restart.
   *
   * The run keeps its run id, arguments, agent and context. All guards are asked
   * again; only the denial that was approved counts as lifted, and only once. If
   * the approval was refused, the outcome is a denial with the human's reason.
   *
   * Only the runner of the same agent resumes the call, so that the agent's own
   * guards are asked.
   *
   * @throws ToolstileError `ERR_APPROVAL` if no such approval was given or refused, it
   * has been used, or the call belongs to another agent; `ERR_ABORTED` as `run` does.
   */
  resume(
    approvalId: string,
    options: { readonly signal?: AbortSignal | undefined } = {},
  ): Promise<ToolOutcome> {
    const { signal } = readOptions("resume()", options, resumeOptions);
    return this.#pipeline.resume(approvalId, signal);
  }

  /** Makes a runner with these guards too, whose calls carry the agent's name. It shares listeners, observers and open calls. */
  forAgent(
    agentName: string,
    options: { readonly guardrails?: readonly Guardrail[] } = {},
  ): ToolRunner {
    const given = readOptions("forAgent()", options, {
      guardrails: such<readonly Guardrail[]>(Array.isArray, "an array of guardrails"),
    });
    const runner = new ToolRunner({ guardrails: [] });
    runner.#pipeline = this.#pipeline.child(agentName, given.guardrails ?? []);
    return runner;
  }

  /** The tools as the model may be told of them. */
  get tools(): readonly ToolDefinition[] {
    return this.#pipeline.tools.registry.definitions;
  }

  /**
   * Returns the denial that a call of this tool would get now with any arguments;
   * undefined if it depends on them, or cannot be found without effects.
   *
   * It is for lists and reports, and is only a hint: the call itself decides.
   */
  denialOf(toolName: string, options: DenialOfOptions = {}): Stopped | undefined {
    const given = readOptions("denialOf()", options, callerOptions);
    return denials(given, this.#pipeline.context)(toolName);
  }

  /** Returns what gives the same for one tool after another. The agent and the host's facts are read once. */
  denials(options: DenialOfOptions = {}): (toolName: string) => Stopped | undefined {
    return denials(readOptions("denials()", options, callerOptions), this.#pipeline.context);
  }

  /** Loads other tools in place of those before. Refused ones are returned, and calls to them are denied. */
  setTools(tools: readonly Tool[]): readonly RefusedTool[] {
    if (!Array.isArray(tools)) {
      throw wrongValue("ERR_INVALID_OPTION", "setTools()", "the tools", "an array", tools);
    }
    return this.#pipeline.tools.load(tools);
  }

  on<Name extends EventName>(name: Name, listener: RunnerEvents[Name]): this {
    this.#pipeline.events.on(name, listener);
    return this;
  }

  once<Name extends EventName>(name: Name, listener: RunnerEvents[Name]): this {
    this.#pipeline.events.once(name, listener);
    return this;
  }

  off<Name extends EventName>(name: Name, listener: RunnerEvents[Name]): this {
    this.#pipeline.events.off(name, listener);
    return this;
  }

  /** Denies new calls, waits for open ones, then closes guards and observers. A tool or a guard that awaits it in a call waits for itself, for ever. */
  close(): Promise<void> {
    return this.#pipeline.close();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }
}
