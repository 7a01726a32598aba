import type { DecisionRecord } from "../protocol/outcome.js";
import type { Guard } from "./guard.js";
import type { Phase } from "./read-decision.js";

/** The guards of a call, by the phase in which they are asked. */
export interface GuardsByPhase {
  readonly call: readonly Guard[];
  readonly admit: readonly Guard[];
  readonly result: readonly Guard[];
  readonly settle: readonly Guard[];
  /** The records of a call that all of them plainly allow. */
  readonly allowed: readonly DecisionRecord[];
}

export function byPhase(guards: readonly Guard[]): GuardsByPhase {
  const call = guards.filter((guard) => guard.answers("call"));
  const admit = guards.filter((guard) => guard.answers("admit"));
  const result = guards.filter((guard) => guard.answers("result"));
  const settle = guards.filter(({ facts }) => facts.settle !== undefined);
  const allowed = Object.freeze([
    ...call.map(({ allowed }) => allowed.call),
    ...admit.map(({ allowed }) => allowed.admit),
    ...result.map(({ allowed }) => allowed.result),
  ]);
  return Object.freeze({ call, admit, result, settle, allowed });
}

/** Returns those of some guards that answer in a phase and cover a tool. */
export function speaking(
  guards: readonly Guard[],
  phase: Phase,
  toolName: string,
): readonly Guard[] {
  return covering(guards, toolName).filter((guard) => guard.answers(phase));
}

/** Returns those of some guards that cover a tool: mostly all of them, and then no new list. */
export function covering(guards: readonly Guard[], toolName: string): readonly Guard[] {
  return guards.every((guard) => guard.covers(toolName))
    ? guards
    : guards.filter((guard) => guard.covers(toolName));
}
