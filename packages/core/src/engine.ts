import { defaultTimeoutMs, Scope } from "./call.js";
import { Catalogue, type RefusedTool } from "./catalogue.js";
import { type Clock, steady, systemClock } from "./clock.js";
import { close } from "./close.js";
import { perform } from "./dispatch.js";
import { ToolstileError } from "./errors.js";
import { type EventName, Events } from "./events.js";
import { type ForeseeOptions, foreseeDenial } from "./foresight.js";
import type { JsonLimits } from "./json.js";
import type { Link } from "./link.js";
import {
  type Follower,
  inForce,
  type Live,
  liveAmong,
  type Prepared,
  type Rules,
} from "./live-chain.js";
import { checkOptions, quoted } from "./naming.js";
import { checkedObservers } from "./observer.js";
import { open } from "./open.js";
import { OpenCalls } from "./open-calls.js";
import type { Stopped, ToolObserver, ToolOutcome } from "./protocol.js";
import { checkedTimeout, flatten, type Guardrail } from "./provider.js";
import { recall, requireRunnerOf } from "./recall.js";
import { type CallerSignal, type CallRequest, isSignal, type RunOptions } from "./request.js";
import { Run, type Settings, type Way } from "./run.js";
import {
  aliasTaken,
  checkedAliases,
  checkedLimits,
  checkOptionValues,
  runnerOptions,
  type ToolRunnerOptions,
} from "./runner-options.js";
import { tell } from "./tell.js";
import type { Tool } from "./tool.js";

/** Where an engine comes from, if not from its options alone. */
export interface Kin {
  readonly parent?: Engine;
  readonly agentName?: string;
  /** The tool that a requested name stands for, in place of aliases. */
  readonly resolve?: (requestedName: string) => string;
}

/** What a runner, a workbench and a wrapped executor have in common: the one path, and what lies along it. */
export class Engine implements Follower {
  readonly catalogue: Catalogue;
  readonly events = new Events((name, error) => this.#report("listener", name, error));
  readonly #options: ToolRunnerOptions;
  readonly #agentName: string | undefined;
  readonly #parent: Engine | undefined;
  readonly #live: readonly Live[];
  #links: readonly Link[];
  readonly #observers: readonly ToolObserver[];
  readonly #settings: Settings;
  readonly #limits: JsonLimits;
  readonly #timeoutMs: number;
  readonly #clock: Clock;
  readonly #aliases: ReadonlyMap<string, string>;
  #tools: readonly Tool[];
  /** How often the tools have changed. */
  #version = 0;
  #running = 0;
  #idle: (() => void) | undefined;
  #closing: Promise<void> | undefined;

  constructor(options: ToolRunnerOptions, kin: Kin = {}) {
    checkOptions("ToolRunner", options, runnerOptions);
    // Without a prototype, an option that was not given cannot come from anywhere else.
    this.#options = Object.assign(Object.create(null), options);
    const given = this.#options;
    checkOptionValues(given);
    const { agentName, parent, resolve }: Kin = Object.assign(Object.create(null), kin);
    this.#agentName = agentName;
    this.#parent = parent;
    this.#live = liveAmong(given.guardrails);
    this.#links = flatten(inForce(given.guardrails));
    this.#observers = checkedObservers(given.observers ?? []);
    this.#limits = checkedLimits(given.limits ?? {});
    this.#timeoutMs = checkedTimeout(given.timeoutMs ?? defaultTimeoutMs, "timeoutMs");
    this.#clock = given.clock === undefined ? systemClock : steady(given.clock);
    this.catalogue = new Catalogue(this.#links, given.unchecked === true);
    this.#tools = [...(given.tools ?? [])];
    // What the parent took on later, it has been told of already.
    this.catalogue.load(this.#tools, parent === undefined || parent.#version === 0);
    this.#version = parent === undefined ? 0 : parent.#version;
    const aliases =
      parent === undefined ? checkedAliases(given.aliases ?? {}, this.catalogue) : parent.#aliases;
    this.#aliases = aliases;
    this.#settings = {
      catalogue: this.catalogue,
      resolve: resolve ?? ((name) => aliases.get(name) ?? name),
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
    };
    for (const live of this.#live) live.follow(this);
  }

  /** What `ToolRunner.denialOf` gives. */
  foresee(requestedName: string, options: ForeseeOptions): Stopped | undefined {
    this.#catchUp();
    return foreseeDenial(requestedName, options, this.#settings, this.#agentName);
  }

  #policyVersion(): string | undefined {
    if (this.#live.length === 0) return this.#options.policyVersion;
    const versions = new Set(this.#live.map(({ current }) => current.policyVersion));
    versions.delete(undefined);
    return versions.size === 0 ? this.#options.policyVersion : [...versions].join("+");
  }

  /** Get ready for other rules, as if built anew with the tools that are there. @throws ToolstileError as the constructor does. */
  prepare(live: Live, next: Rules): Prepared {
    this.#catchUp();
    const links = flatten(inForce(this.#options.guardrails, live, next));
    const catalogue = new Catalogue(links, this.#options.unchecked === true);
    const isAsBuilt = this.#version === 0;
    const refused = catalogue.load(this.#tools, isAsBuilt);
    if (!isAsBuilt && this.#tools.length > 0) {
      catalogue.checkToolNames(new Map(this.#tools.map((tool) => [tool?.name, tool])));
    }
    return {
      commit: () => {
        this.#links = links;
        this.catalogue.become(catalogue);
      },
      tell: () => {
        for (const { name, refusedBy, cause } of refused) {
          this.#report(refusedBy, "register", new Error(`refused ${quoted(name)}`, { cause }));
        }
      },
    };
  }

  get openCalls(): OpenCalls {
    return this.#settings.openCalls;
  }

  get agents(): readonly string[] {
    return this.#settings.agents;
  }

  /** An engine with these guards too, for one agent. What it tells, it tells this one's listeners as well. */
  child(agentName: string, guardrails: readonly Guardrail[]): Engine {
    if (typeof agentName !== "string" || agentName === "") {
      throw new ToolstileError("ERR_INVALID_OPTION", "An agent needs a name that is not empty.");
    }
    const tools = this.#tools.filter((tool) => {
      const entry = this.catalogue.get(tool?.name);
      return entry !== undefined && entry.refusedBy === undefined;
    });
    const all = [...this.#options.guardrails, ...guardrails];
    return new Engine({ ...this.#options, tools, guardrails: all }, { parent: this, agentName });
  }

  /** Take on other tools. Those refused are told, and calls to them are denied. */
  load(tools: readonly Tool[]): readonly RefusedTool[] {
    // A runner that is given its tools later has its guards' names checked then.
    if (this.#tools.length === 0 && this.#version === 0) {
      this.catalogue.checkToolNames(new Map(tools.map((tool) => [tool?.name, tool])));
    }
    const named = tools.filter((tool) => !this.#aliases.has(tool?.name));
    const refused = tools
      .filter((tool) => this.#aliases.has(tool?.name))
      .map(({ name }) => ({ name, refusedBy: "core", cause: aliasTaken(name) }));
    this.#tools = named;
    this.#version++;
    return [...refused, ...this.catalogue.load(named, false)];
  }

  /** Follow the parent's tools. */
  #catchUp(): void {
    const parent = this.#parent;
    if (parent === undefined) return;
    parent.#catchUp();
    if (parent.#version === this.#version) return;
    this.#tools = parent.#tools;
    this.#version = parent.#version;
    this.catalogue.load(this.#tools, false);
  }

  /** Wait for something outside any run, no longer than a guard may take or its caller wants. It never rejects. */
  async wait(
    act: () => Promise<void>,
    source: string,
    phase: string,
    caller: CallerSignal | undefined,
  ): Promise<void> {
    const failed = (error: unknown): void => this.#report(source, phase, error);
    const heard = tell(act, this.#clock, this.#timeoutMs, failed);
    if (heard === undefined || caller?.aborted === true) return;
    await new Promise<void>((resolve) => {
      const done = (): void => {
        caller?.removeEventListener("abort", done);
        resolve();
      };
      caller?.addEventListener("abort", done, { once: true });
      heard.then(done);
    });
  }

  /** Tell operators of something that went wrong outside any run. */
  report(source: string, phase: string, error: unknown): void {
    this.#report(source, phase, error);
  }

  start(request: CallRequest, options: RunOptions, way: Way = usual): Run {
    this.#catchUp();
    const scope = this.#scope(callerOf(options));
    const asked = typeof request === "object" && request !== null ? request : nothing;
    const run = new Run(this.#settings, scope, asked, options, this.#agentName, way);
    if (this.#live.length > 0) {
      run.rules = this.#live.map(({ current }) => current);
      for (const rules of run.rules) rules.enter();
    }
    this.#count(1);
    return run;
  }

  #scope(caller: CallerSignal | undefined): Scope {
    return new Scope(this.#clock, this.#limits, this.#timeoutMs, this.#report, caller);
  }

  /** The whole path. @throws ToolstileError `ERR_ABORTED` where the way is to reject. */
  async run(request: CallRequest, options: RunOptions, way: Way = usual): Promise<ToolOutcome> {
    const run = this.start(request, options, way);
    const opening = open(run);
    if (opening !== undefined) await opening;
    if (run.ending === undefined) {
      const running = perform(run);
      if (running !== undefined) await running;
    }
    const closing = close(run);
    if (closing !== undefined) await closing;
    return this.#over(run, way.rejects);
  }

  /** Take up a run whose denial has been lifted in the meantime. @throws ToolstileError `ERR_APPROVAL` where there is nothing to take up. */
  async resume(
    approvalId: string,
    signal: CallerSignal | undefined,
    way: Way = usual,
  ): Promise<ToolOutcome> {
    const { approver, agents } = this.#settings;
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
    return this.run(request, options, { ...way, resumed });
  }

  /** The end of the path, for a run that was opened. */
  async finish(run: Run): Promise<ToolOutcome> {
    const closing = close(run);
    if (closing !== undefined) await closing;
    return this.#over(run, false);
  }

  #over(run: Run, rejects: boolean): ToolOutcome {
    this.#count(-1);
    if (run.rules.length > 0) for (const rules of run.rules) rules.leave();
    const outcome = run.outcome as ToolOutcome;
    if (rejects && outcome.status === "aborted") throw abortion(outcome, run.scope.caller);
    return outcome;
  }

  /** A child's call is its parent's too, for it uses what the parent closes. */
  #count(change: 1 | -1): void {
    this.#running += change;
    if (this.#running === 0) this.#idle?.();
    if (this.#parent !== undefined) this.#parent.#count(change);
  }

  /** Deny what comes from now on, wait for what is under way, then close guards and observers. */
  close(): Promise<void> {
    this.#closing ??= this.#shutDown();
    return this.#closing;
  }

  async #shutDown(): Promise<void> {
    if (this.#running > 0) await new Promise<void>((resolve) => (this.#idle = resolve));
    const { approver } = this.#settings;
    // What a child has of its parent's, the parent closes.
    const inherited = this.#parent === undefined ? 0 : this.#parent.#links.length;
    const owners = [
      ...this.#links.slice(inherited).map(({ facts }) => facts),
      ...(this.#parent === undefined ? this.#observers : []),
      ...(this.#parent === undefined && approver !== undefined ? [approver] : []),
    ];
    for (const owner of owners) {
      const failed = (error: unknown): void => this.#report(owner.name, "close", error);
      await tell(() => owner.close?.(), this.#clock, this.#timeoutMs, failed);
    }
  }

  get closed(): boolean {
    return this.#closing !== undefined || this.#parent?.closed === true;
  }

  get listened(): boolean {
    return this.events.observed || this.#parent?.listened === true;
  }

  #emit(run: Run): void {
    if (!this.listened) return;
    const record = run.record();
    this.#tell(run.outcome?.status as EventName, record);
    this.#tell("settled", record);
  }

  #tell(name: EventName, event: never | object): void {
    this.events.emit(name, event as never);
    if (this.#parent !== undefined) this.#parent.#tell(name, event);
  }

  readonly #report = (source: string, phase: string, error: unknown): void => {
    const { onFault } = this.#options;
    if (onFault === undefined && !this.listened) return;
    const fault = Object.freeze({ source, phase, error });
    if (onFault !== undefined)
      tell(
        () => onFault(fault),
        this.#clock,
        this.#timeoutMs,
        () => {},
      );
    this.#tell("fault", fault);
  };
}

/** The rejection of a call whose caller gave up. */
export function abortion(outcome: ToolOutcome, caller: CallerSignal | undefined): ToolstileError {
  return new ToolstileError("ERR_ABORTED", "The caller aborted the tool call.", {
    cause: caller?.reason,
    outcomes: [outcome],
  });
}

/** What a caller asks for who passes no object: a call that names no tool. */
const nothing = Object.freeze({}) as CallRequest;

/** How `run` goes, where nothing else is said. */
const usual: Way = Object.freeze({
  rejects: true,
  turnId: undefined,
  seen: undefined,
  execute: undefined,
  resumed: undefined,
});

/** The caller's signal, if it is one. What is none is said to be wrong when the call is read. */
function callerOf(options: RunOptions): CallerSignal | undefined {
  const signal = Object.hasOwn(options, "signal") ? options.signal : undefined;
  return isSignal(signal) ? signal : undefined;
}
