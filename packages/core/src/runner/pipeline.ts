import { type FaultReport, Scope, type Terms } from "../call/caller.js";
import type { CallRequest, RunOptions } from "../call/request.js";
import { readCallOptions } from "../call/run-options.js";
import { ToolstileError } from "../errors/error.js";
import { wrongValue } from "../errors/option-error.js";
import { readOptions } from "../errors/options.js";
import { type Guardrail, requireNamesApart } from "../guard/define.js";
import type { Guard } from "../guard/guard.js";
import {
  type Follower,
  isLive,
  type Live,
  type Part,
  type Prepared,
  partsOf,
  policiesOf,
  type Rules,
} from "../guard/live-chain.js";
import type { Policy } from "../guard/policy.js";
import { defaultLimits } from "../json/snapshot.js";
import type { Stopped, ToolObserver, ToolOutcome } from "../protocol/outcome.js";
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
import { OpenCalls } from "../run/open-calls.js";
import { recall, requireRunnerOf } from "../run/resume.js";
import {
  type EndedRun,
  isEnded,
  isPermitted,
  type Run,
  type RunMode,
  type RunnerContext,
} from "../run/run.js";
import { close, open } from "../run/steps.js";
import type { CallerSignal } from "../time/abort.js";
import { steady, systemClock } from "../time/clock.js";
import { defaultTimeoutMs } from "../time/deadline.js";
import { notify } from "../time/notify.js";
import { isThenable } from "../time/wait.js";
import type { RefusedTool } from "../tool/refused-tool.js";
import type { ToolRegistry } from "../tool/registry.js";
import type { Tool } from "../tool/tool.js";
import { type DenialOfOptions, denialOf } from "./denial-of.js";
import { type EventName, Events } from "./events.js";
import { faultReport, refusedFault } from "./faults.js";
import { runnerTable, type ToolRunnerOptions } from "./options.js";
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
  readonly events = new Events((name, error) => this.#report("listener", name, error));
  readonly #options: ToolRunnerOptions;
  readonly #parent: Pipeline | undefined;
  /** Its own guards: those of its parent are not among them. */
  readonly #parts: readonly Part[];
  /** The live chains among its guards and those of its parents. */
  readonly #live: readonly Live[];
  readonly #observers: readonly ToolObserver[];
  readonly #context: RunnerContext;
  readonly #terms: Terms;
  readonly #report: FaultReport;
  readonly #tools: ToolSet;
  #running = 0;
  #idle: (() => void) | undefined;
  #closing: Promise<void> | undefined;

  constructor(options: ToolRunnerOptions, kin: Parent = {}) {
    const given = readOptions("ToolRunner", options, runnerTable);
    this.#options = given;
    const { agentName, parent, resolve, knowsTools }: Parent = Object.assign(
      Object.create(null),
      kin,
    );
    this.#parent = parent;
    this.#parts = partsOf(given.guardrails);
    const policies = policiesOf(this.#parts);
    requireNamesApart(guardsIn(policies), parent?.registry.policies);
    this.#observers = checkedObservers(given.observers ?? []);
    this.#report = faultReport({
      onFault: given.onFault,
      bounds: () => this.#scope(undefined).deadline(),
      heard: () => this.#hears("fault"),
      emit: (fault) => this.#notify("fault", fault),
    });
    this.#terms = {
      limits: given.limits ?? defaultLimits,
      timeoutMs: given.timeoutMs ?? defaultTimeoutMs,
      clock: given.clock === undefined ? systemClock : steady(given.clock),
      report: this.#report,
    };
    const tools = new ToolSet(
      policies,
      {
        tools: given.tools ?? [],
        aliases: given.aliases ?? {},
        unchecked: given.unchecked === true,
      },
      parent === undefined ? undefined : parent.#tools,
    );
    this.#tools = tools;
    this.#context = {
      tools,
      resolve: resolve ?? ((name) => tools.resolve(name)),
      agentName,
      observers: this.#observers,
      receiptSigner: given.receiptSigner,
      approver: given.approver,
      agents: Object.freeze([
        ...(parent?.agents ?? []),
        ...(agentName === undefined ? [] : [agentName]),
      ]),
      openCalls: parent?.openCalls ?? new OpenCalls(given.maxOpenCalls ?? 100_000),
      policyVersion: () => this.#policyVersion(),
      observed: () => this.#observers.length > 0 || this.listened,
      emit: (run) => this.#emit(run),
      closed: () => this.closed,
      knowsTools: knowsTools ?? (() => true),
    };
    const own = this.#parts.filter(isLive);
    this.#live = [...(parent === undefined ? [] : parent.#live), ...own];
    // A child without guards of its own shares all that its parent prepares.
    if (this.#parts.length > 0) for (const live of this.#live) live.follow(this);
  }

  /** Answers `ToolRunner.denialOf`. */
  foresee(requestedName: string, options: DenialOfOptions): Stopped | undefined {
    return denialOf(requestedName, options, this.#context, this.#context.agentName);
  }

  #policyVersion(): string | undefined {
    if (this.#live.length === 0) return this.#options.policyVersion;
    const versions = new Set(this.#live.map(({ current }) => current.policyVersion));
    versions.delete(undefined);
    return versions.size === 0 ? this.#options.policyVersion : [...versions].join("+");
  }

  /** Prepares an exchange of rules, as if built again with the present tools. @throws ToolstileError as the constructor does. */
  prepare(live: Live, next: Rules): Prepared {
    const policies = policiesOf(this.#parts, live, next);
    const above = this.#parent?.registry.policies ?? [];
    const { policy } = live.current;
    requireNamesApart(
      guardsIn(policies),
      above.map((each) => (each === policy ? next.policy : each)),
    );
    // Where the rules are those of a parent, the tools follow the parent's.
    if (!this.#parts.includes(live)) return { commit: () => {}, tell: () => {} };
    const { commit, refused } = this.#tools.under(policies);
    return {
      commit,
      tell: () => {
        for (const { name, refusedBy, cause } of refused) {
          this.#report(refusedBy, "register", refusedFault(name, cause));
        }
      },
    };
  }

  get registry(): ToolRegistry {
    return this.#tools.registry;
  }

  get openCalls(): OpenCalls {
    return this.#context.openCalls;
  }

  get agents(): readonly string[] {
    return this.#context.agents;
  }

  /** Makes a pipeline with these guards too, for one agent. Its events go to the listeners of this one as well. */
  child(agentName: string, guardrails: readonly Guardrail[]): Pipeline {
    if (typeof agentName !== "string" || agentName === "") {
      const expected = "a string that is not empty";
      throw wrongValue("ERR_INVALID_OPTION", "forAgent()", "the name", expected, agentName);
    }
    return new Pipeline({ ...this.#options, guardrails }, { parent: this, agentName });
  }

  /** Loads other tools. The refused ones are returned, and calls to them are denied. */
  load(tools: readonly Tool[]): readonly RefusedTool[] {
    return this.#tools.load(tools);
  }

  /** @throws ToolstileError `ERR_UNKNOWN_TOOL` for a name in a guard's configuration that none of these tools has. */
  checkToolNames(tools: readonly Tool[]): void {
    this.#tools.checkToolNames(new Set(tools.map(({ name }) => name)));
  }

  /** Waits for something outside any run, no longer than a guard may take or its caller wants. It never rejects. */
  async wait(
    act: () => Promise<void>,
    source: string,
    phase: string,
    caller: CallerSignal | undefined,
  ): Promise<void> {
    const failed = (error: unknown): void => this.#report(source, phase, error);
    await notify(act, this.#scope(caller).bounds(), failed);
  }

  /** Reports a fault outside any run to operators. */
  report(source: string, phase: string, error: unknown): void {
    this.#report(source, phase, error);
  }

  start(request: CallRequest, given: RunOptions | undefined, mode: RunMode = usual): Run {
    const options = readCallOptions(given);
    const scope = this.#scope(options.signal);
    const asked = typeof request === "object" && request !== null ? request : nothing;
    const run = intake(this.#context, mode, scope, asked, options);
    if (this.#live.length > 0) {
      run.rules = this.#live.map(({ current }) => current);
      for (const rules of run.rules) rules.enter();
    }
    this.#count(1);
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
    const { approver, agents } = this.#context;
    if (approver === undefined) {
      throw new ToolstileError("ERR_APPROVAL", "This runner has no approver. Give it one.");
    }
    const { question, grant } = await recall(approver, approvalId, this.#scope(signal));
    requireRunnerOf(question, agents);
    const { runId, requestedName, askedArgs, callId, receipt, agentName, context, turnId } =
      question;
    const options = Object.fromEntries(
      Object.entries({ agentName, context, signal, turnId }).filter(
        ([, value]) => value !== undefined,
      ),
    );
    const resumed = { runId, grant };
    const request = { name: requestedName, arguments: askedArgs, callId, receipt };
    return this.run(request, options, { ...mode, resumed });
  }

  /** Closes a run that was opened, and returns its outcome. */
  async finish(run: Run): Promise<ToolOutcome> {
    const closing = close(run);
    if (closing !== undefined) await closing;
    return this.#over(run, false);
  }

  #over(run: Run, rejects: boolean): ToolOutcome {
    this.#count(-1);
    if (run.rules.length > 0) for (const rules of run.rules) rules.leave();
    if (!isEnded(run)) throw new TypeError("the run is not over");
    const { outcome } = run;
    if (rejects && outcome.status === "aborted") throw abortion(outcome, run.scope.caller);
    return outcome;
  }

  /** Counts open calls. A child's call counts for its parent too, because it uses guards that the parent closes. */
  #count(change: 1 | -1): void {
    this.#running += change;
    if (this.#running === 0) this.#idle?.();
    if (this.#parent !== undefined) this.#parent.#count(change);
  }

  /** Denies new calls, waits for open ones, then closes guards and observers. */
  close(): Promise<void> {
    this.#closing ??= this.#shutDown();
    return this.#closing;
  }

  async #shutDown(): Promise<void> {
    if (this.#running > 0) await new Promise<void>((resolve) => (this.#idle = resolve));
    const { approver } = this.#context;
    const owners = [
      ...guardsIn(policiesOf(this.#parts)).map(({ facts }) => facts),
      ...(this.#parent === undefined ? this.#observers : []),
      ...(this.#parent === undefined && approver !== undefined ? [approver] : []),
    ];
    for (const owner of owners) {
      const failed = (error: unknown): void => this.#report(owner.name, "close", error);
      await notify(() => owner.close?.(), this.#scope(undefined).deadline(), failed);
    }
  }

  get closed(): boolean {
    return this.#closing !== undefined || this.#parent?.closed === true;
  }

  get listened(): boolean {
    return this.events.observed || this.#parent?.listened === true;
  }

  #hears(name: EventName): boolean {
    if (this.events.hears(name)) return true;
    return this.#parent === undefined ? false : this.#parent.#hears(name);
  }

  #emit(run: EndedRun): void {
    if (!this.listened) return;
    const record = run.record();
    this.#notify(run.outcome.status, record);
    this.#notify("settled", record);
  }

  #notify(name: EventName, event: never | object): void {
    this.events.emit(name, event as never);
    if (this.#parent !== undefined) this.#parent.#notify(name, event);
  }
}

function guardsIn(policies: readonly Policy[]): readonly Guard[] {
  return policies.flatMap(({ guards }) => guards);
}

/** Makes the error for a call that its caller aborted. */
export function abortion(outcome: ToolOutcome, caller: CallerSignal | undefined): ToolstileError {
  return new ToolstileError("ERR_ABORTED", "The caller aborted the tool call.", {
    cause: caller?.reason,
    outcomes: [outcome],
  });
}

/** The request in place of a value that is not an object. It names no tool. */
const nothing = Object.freeze({}) as CallRequest;

/** The mode of `run`, unless another is given. */
const usual: RunMode = Object.freeze({
  rejects: true,
  turnId: undefined,
  seen: undefined,
  execute: undefined,
  resumed: undefined,
});
