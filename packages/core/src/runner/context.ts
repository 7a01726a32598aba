import type { ToolObserver } from "../protocol/outcome.js";
import { OpenCalls } from "../run/open-calls.js";
import type { EndedRun, RunnerContext } from "../run/run.js";
import type { Closing } from "./closing.js";
import type { Events, SettledRecord } from "./events.js";
import type { ToolRunnerOptions } from "./options.js";
import type { RunnerGuards } from "./runner-guards.js";
import type { ToolSet } from "./tool-set.js";

/** The parts of a runner that are built before its context. */
export interface Built {
  readonly tools: ToolSet;
  readonly guards: RunnerGuards;
  readonly observers: readonly ToolObserver[];
  readonly events: Events;
  readonly closing: Closing;
}

/** The origin of a context, beside the options of its runner. */
export interface Origin {
  readonly above: RunnerContext | undefined;
  readonly agentName: string | undefined;
  readonly resolve: ((requestedName: string) => string) | undefined;
  readonly knowsTools: (() => boolean) | undefined;
}

/** Makes the part of a runner that its runs use. */
export function runnerContext(
  options: ToolRunnerOptions,
  { above, agentName, resolve, knowsTools }: Origin,
  { tools, guards, observers, events, closing }: Built,
): RunnerContext {
  const names = agentName === undefined ? [] : [agentName];
  return {
    tools,
    resolve: resolve ?? ((name) => tools.resolve(name)),
    agentName,
    observers,
    receiptSigner: options.receiptSigner,
    approver: options.approver,
    agents: Object.freeze(above === undefined ? names : [...above.agents, ...names]),
    openCalls: above?.openCalls ?? new OpenCalls(options.maxOpenCalls ?? 100_000),
    policyVersion: () => guards.policyVersion(options.policyVersion),
    observed: () => observers.length > 0 || events.observed,
    emit: (run) => emit(run, events),
    closed: () => closing.begun,
    knowsTools: knowsTools ?? (() => true),
  };
}

/** Tells the listeners of a call that is over. */
function emit(run: EndedRun, events: Events): void {
  if (!events.observed) return;
  const record = run.record() as SettledRecord;
  // The record of an ended run has its outcome, and each event is typed for the outcomes of its own status.
  events.emit(run.outcome.status, record as never);
  events.emit("settled", record);
}
