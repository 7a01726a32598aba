import { type FaultReport, Scope, type Terms } from "../call/caller.js";
import type { CallRequest, RunOptions } from "../call/request.js";
import { readCallOptions } from "../call/run-options.js";
import { wrongValue } from "../errors/option-error.js";
import { readOptions } from "../errors/options.js";
import type { Guardrail } from "../guard/define.js";
import type { Follower, Live, Prepared, Rules } from "../guard/live-chain.js";
import type { Policy } from "../guard/policy.js";
import { defaultLimits } from "../json/snapshot.js";
import type { ToolOutcome } from "../protocol/outcome.js";
import {
  answeredStream,
  isWatched,
  noteValue,
  readToEnd,
  start,
  ToolWatch,
} from "../run/execute.js";
import { intake } from "../run/intake.js";
import { checkedObservers } from "../run/observers.js";
import { abortion } from "../run/outcome.js";
import { resumption } from "../run/resume.js";
import { isEnded, isPermitted, type Run, type RunMode, type RunnerContext } from "../run/run.js";
import { close, open } from "../run/steps.js";
import type { CallerSignal } from "../time/abort.js";
import { steady, systemClock } from "../time/clock.js";
import { defaultTimeoutMs } from "../time/deadline.js";
import { notify } from "../time/notify.js";
import { isThenable } from "../time/wait.js";
import { type Closable, Closing } from "./closing.js";
import { runnerContext } from "./context.js";
import { Events } from "./events.js";
import { faultReport } from "./faults.js";
import { runnerTable, type ToolRunnerOptions } from "./options.js";
import { RunnerGuards } from "./runner-guards.js";
import { ToolSet } from "./tool-set.js";

/** The origin of a pipeline that does not come from its options alone. */
export interface Parent {
  readonly parent?: Pipeline;
  readonly agentName?: string;
  /** The tool that a requested name stands for, in place of aliases. */
  readonly resolve?: (requestedName: string) => string;
  /** False if the list of tools could not be read. Default: it is known. */
  readonly knowsTools?: () => boolean;
}

/** The one path of a call. Runners, workbenches and wrapped executors share it. */
export class Pipeline implements Follower {
  readonly events: Events;
  /** Reports a fault to operators. */
  readonly report: FaultReport;
  readonly guards: RunnerGuards;
  readonly tools: ToolSet;
  readonly context: RunnerContext;
  readonly closing: Closing;
  readonly #options: ToolRunnerOptions;
  readonly #parent: Pipeline | undefined;
  readonly #terms: Terms;

  constructor(options: ToolRunnerOptions, kin: Parent = {}) {
    const given = readOptions("ToolRunner", options, runnerTable);
    this.#options = given;
    const { agentName, parent, resolve, knowsTools }: Parent = Object.assign(
      Object.create(null),
      kin,
    );
    this.#parent = parent;
    this.guards = new RunnerGuards(given.guardrails, parent?.guards, this.#above);
    const observers = checkedObservers(given.observers ?? []);
    this.closing = new Closing(parent?.closing);
    this.events = new Events((name, error) => this.report("listener", name, error), parent?.events);
    this.report = faultReport({
      onFault: given.onFault,
      bounds: () => this.#scope(undefined).deadline(),
      heard: () => this.events.hears("fault"),
      emit: (fault) => this.events.emit("fault", fault),
    });
    this.#terms = {
      limits: given.limits ?? defaultLimits,
      timeoutMs: given.timeoutMs ?? defaultTimeoutMs,
      clock: given.clock === undefined ? systemClock : steady(given.clock),
      report: this.report,
    };
    this.tools = new ToolSet(
      this.guards.policies,
      {
        tools: given.tools ?? [],
        aliases: given.aliases ?? {},
        unchecked: given.unchecked === true,
      },
      parent?.tools,
    );
    this.context = runnerContext(
      given,
      { above: parent?.context, agentName, resolve, knowsTools },
      {
        tools: this.tools,
        guards: this.guards,
        observers,
        events: this.events,
        closing: this.closing,
      },
    );
    for (const live of this.guards.followed) live.follow(this);
  }

  /** The guards of its parents, if it has one. */
  get #above(): readonly Policy[] | undefined {
    return this.#parent?.tools.registry.policies;
  }

  /** Prepares an exchange of rules, as if built again with the present tools. @throws ToolstileError as the constructor does. */
  prepare(live: Live, next: Rules): Prepared {
    return this.guards.prepare(live, next, this.#above, this.tools, this.report);
  }

  /** Makes a pipeline with these guards too, for one agent. Its events go to the listeners of this one as well. */
  child(agentName: string, guardrails: readonly Guardrail[]): Pipeline {
    if (typeof agentName !== "string" || agentName === "") {
      const expected = "a string that is not empty";
      throw wrongValue("ERR_INVALID_OPTION", "forAgent()", "the name", expected, agentName);
    }
    return new Pipeline({ ...this.#options, guardrails }, { parent: this, agentName });
  }

  /** Waits for something outside any run, no longer than a guard may take or its caller wants. It never rejects. */
  async wait(
    act: () => Promise<void>,
    source: string,
    phase: string,
    caller: CallerSignal | undefined,
  ): Promise<void> {
    const failed = (error: unknown): void => this.report(source, phase, error);
    await notify(act, this.#scope(caller).bounds(), failed);
  }

  start(request: CallRequest, given: RunOptions | undefined, mode: RunMode = usual): Run {
    const options = readCallOptions(given);
    const scope = this.#scope(options.signal);
    const asked = typeof request === "object" && request !== null ? request : nothing;
    const run = intake(this.context, mode, scope, asked, options);
    const rules = this.guards.enter();
    if (rules !== undefined) run.rules = rules;
    this.closing.count(1);
    return run;
  }

  #scope(caller: CallerSignal | undefined): Scope {
    return new Scope(this.#terms, caller);
  }

  /** Runs a call over the whole path. @throws ToolstileError `ERR_ABORTED` if the mode says that an abort rejects. */
  async run(
    request: CallRequest,
    options: RunOptions | undefined,
    mode: RunMode = usual,
  ): Promise<ToolOutcome> {
    const run = this.start(request, options, mode);
    const opening = open(run);
    if (opening !== undefined) await opening;
    if (isPermitted(run)) {
      let watch: ToolWatch | undefined;
      try {
        let pending = start(run);
        // A promise is awaited here: each function in between costs a promise more.
        if (isThenable(pending)) {
          if (isWatched(run)) {
            watch = new ToolWatch(run);
            await watch.wait(pending);
            pending = answeredStream(run);
          } else {
            pending = noteValue(run, await pending);
          }
        }
        if (pending !== undefined) {
          watch ??= new ToolWatch(run);
          await readToEnd(run, pending, watch);
        }
      } catch (error) {
        // The promise rejected, or its value throws when it is read, as a proxy may.
        run.answered = { error };
      } finally {
        watch?.stop();
      }
    }
    const closing = close(run);
    if (closing !== undefined) await closing;
    return this.#over(run, mode.rejects);
  }

  /** Resumes a run whose denial has been lifted in the meantime. @throws ToolstileError `ERR_APPROVAL` if there is none to resume. */
  async resume(
    approvalId: string,
    signal: CallerSignal | undefined,
    mode: RunMode = usual,
  ): Promise<ToolOutcome> {
    const { request, options, resumed } = await resumption(
      this.context,
      approvalId,
      this.#scope(signal),
    );
    return this.run(request, options, { ...mode, resumed });
  }

  /** Closes a run that was opened, and returns its outcome. */
  async finish(run: Run): Promise<ToolOutcome> {
    const closing = close(run);
    if (closing !== undefined) await closing;
    return this.#over(run, false);
  }

  #over(run: Run, rejects: boolean): ToolOutcome {
    this.closing.count(-1);
    for (const rules of run.rules) rules.leave();
    if (!isEnded(run)) throw new TypeError("the run is not over");
    const { outcome } = run;
    if (rejects && outcome.status === "aborted") throw abortion(outcome, run.scope.caller);
    return outcome;
  }

  get closed(): boolean {
    return this.closing.begun;
  }

  /** Denies new calls, waits for open ones, then closes guards and observers. */
  close(): Promise<void> {
    return this.closing.begin(() => this.#owned(), this.#terms, this.report);
  }

  /** The guards and observers that are closed with it. A child leaves its parent's to the parent. */
  #owned(): readonly Closable[] {
    const guards = this.guards.all.map(({ facts }) => facts);
    if (this.#parent !== undefined) return guards;
    const { observers, approver } = this.context;
    return [...guards, ...observers, ...(approver === undefined ? [] : [approver])];
  }
}

/** The request in place of a value that is not an object. It names no tool. */
const nothing = Object.freeze({}) as CallRequest;

/** The mode of `run`, unless another is given. */
export const usual: RunMode = Object.freeze({
  rejects: true,
  turnId: undefined,
  seen: undefined,
  execute: undefined,
  resumed: undefined,
});
