import {
  type Approver,
  chain,
  failOpen,
  forTools,
  type Guardrail,
  shadow,
  shared,
  type ToolObserver,
  ToolstileError,
  when,
  withTimeout,
} from "@toolstile/core";
import { member, quoted } from "@toolstile/core/provider";
import { pathText } from "../yaml/path.js";
import { Slices } from "../yaml/slices.js";
import { agentsOnly, askedBy, everythingInShadow } from "./agents.js";
import { closeQuietly } from "./closing.js";
import type { LoadedGuard } from "./guard-file.js";
import type { Plan } from "./plan.js";
import type { Planned, PlannedGuard } from "./planning.js";
import type { GuardEntry } from "./schema.js";
import { scopeOf } from "./scope.js";

/** A guard of an entry, and what a runner is given of it. */
export interface MadeGuard {
  readonly key: string;
  readonly product: Guardrail;
  readonly entry: GuardEntry;
  readonly guardrail: Guardrail;
  readonly loaded: LoadedGuard;
}

/** All that was made of a plan's guards. */
export interface MadeGuards {
  readonly guards: readonly LoadedGuard[];
  /** In the order in which they are asked. */
  readonly guardrails: readonly Guardrail[];
  readonly made: readonly MadeGuard[];
  /** Those of them that were not there before. */
  readonly fresh: readonly Guardrail[];
}

/**
 * Makes the guards of a plan, or takes those that are there already.
 *
 * @param before Guards in use: one whose plugin and options are unchanged is kept, with all that it has counted.
 * @throws GuardFileError after closing what it made.
 */
export async function makeGuards(plan: Plan, before?: readonly MadeGuard[]): Promise<MadeGuards> {
  const { faults } = plan;
  const slices = new Slices();
  const kept = new Kept(before ?? []);
  const made: MadeGuard[] = [];
  // A plugin may return an object that is in use already. A refused change must not close it.
  const inUse = new Set(before?.map(({ product }) => product));
  const fresh = new Set<Guardrail>();
  const places = new Map<string, string>();
  for (const planned of plan.guards) {
    if (slices.isOver) await slices.pause();
    const known = kept.take(planned.key);
    const product = known?.product ?? attempt(planned, plan);
    if (product === undefined) continue;
    if (!inUse.has(product as Guardrail)) fresh.add(product as Guardrail);
    if (!isGuardrail(product)) {
      faults.add(planned.path, "makes an observer, which belongs under observers");
      continue;
    }
    const { name } = product;
    const taken = places.get(name);
    const place = pathText(planned.path);
    if (taken !== undefined) faults.add(planned.path, sameName(name, taken));
    places.set(name, place);
    try {
      made.push(madeGuard(product, planned, place, plan, known));
    } catch (error) {
      faults.addError(planned.path, error);
    }
  }
  const guards = made.map((guard) => guard.loaded);
  const guardrails = made.map((guard) => guard.guardrail);
  for (const each of ofTheFile(plan, guards)) guardrails.push(each);
  // A live chain checks the guards that replace others, and changes nothing where they do not fit.
  if (faults.list.length === 0 && before === undefined) checkTogether(guardrails, plan);
  if (faults.list.length > 0) {
    await closeQuietly([...fresh]);
    faults.throwIfAny();
  }
  await slices.pause();
  return { guards, guardrails, made, fresh: [...fresh] };
}

/** Guards that are there, of which each is taken once. */
class Kept {
  readonly #first = new Map<string, MadeGuard>();
  /** Those of the same plugin with the same options. */
  readonly #others = new Map<string, MadeGuard[]>();

  constructor(made: readonly MadeGuard[]) {
    for (const guard of made) {
      const { key } = guard;
      if (!this.#first.has(key)) this.#first.set(key, guard);
      else this.#others.set(key, [...(this.#others.get(key) ?? []), guard]);
    }
  }

  take(key: string): MadeGuard | undefined {
    const guard = this.#first.get(key);
    const next = this.#others.get(key)?.shift();
    if (next !== undefined) this.#first.set(key, next);
    else this.#first.delete(key);
    return guard;
  }
}

/** The observers and the approver of a file. They stay as long as it is loaded. */
export interface MadeCompanions {
  readonly observers: readonly ToolObserver[];
  readonly approver: Approver | undefined;
}

/** @throws GuardFileError after closing what it made. */
export async function makeCompanions(plan: Plan): Promise<MadeCompanions> {
  const observers = await makeObservers(plan);
  try {
    return { observers, approver: plan.approver?.create() };
  } catch (error) {
    await closeQuietly(observers);
    plan.faults.addError(["approver"], error);
    plan.faults.throwIfAny();
    throw error;
  }
}

/** @throws GuardFileError after closing what it made. */
async function makeObservers(plan: Plan): Promise<readonly ToolObserver[]> {
  const made: ToolObserver[] = [];
  const places = new Map<string, string>();
  for (const planned of plan.observers) {
    const product = attempt(planned, plan);
    if (product === undefined) continue;
    made.push(product as ToolObserver);
    if (isGuardrail(product)) {
      plan.faults.add(planned.path, "makes a guard, which belongs under guards");
    }
    const taken = places.get(product.name);
    if (taken !== undefined) plan.faults.add(planned.path, sameName(product.name, taken));
    places.set(product.name, pathText(planned.path));
  }
  if (plan.faults.list.length > 0) {
    await closeQuietly(made);
    plan.faults.throwIfAny();
  }
  return made;
}

function attempt(
  { create, path }: Planned,
  { faults }: Plan,
): Guardrail | ToolObserver | undefined {
  try {
    return create();
  } catch (error) {
    faults.addError(path, error);
    return undefined;
  }
}

function isGuardrail(product: Guardrail | ToolObserver): product is Guardrail {
  return (
    member(product, "evaluate") !== undefined || member(product, "evaluateResult") !== undefined
  );
}

function sameName(name: string, taken: string): string {
  return `makes a second one named ${quoted(name)}, as ${taken} does. Give one of them another name, where its options have one: with: { name: … }`;
}

/** The guard of an unchanged entry stays as it is, if its place is the same. */
function madeGuard(
  product: Guardrail,
  planned: PlannedGuard,
  path: string,
  plan: Plan,
  known: MadeGuard | undefined,
): MadeGuard {
  const { entry, agent, key, position, use } = planned;
  const { line, column } = position ?? {};
  const before = known?.loaded;
  const mode = entry.mode ?? plan.mode;
  const isSame = known?.entry === entry && before?.agent === agent && before?.mode === mode;
  const stands = before?.path === path && before.line === line && before.column === column;
  if (isSame && stands) return known;
  const tools = entry.tools === undefined ? undefined : Object.freeze([...entry.tools]);
  const loaded: LoadedGuard = Object.freeze({
    name: product.name,
    use,
    path,
    line,
    column,
    agent,
    tools,
    covers: isSame && before !== undefined ? before.covers : scopeOf(entry),
    mode,
    failOpen: entry.failOpen === true,
    guardrail: product,
  });
  const guardrail = isSame ? known.guardrail : inForce(loaded, entry);
  return { key, product, entry, guardrail, loaded };
}

/** The guard with its deadline, its mode and its scope: what a runner is given. */
function inForce(guard: LoadedGuard, { timeoutMs }: GuardEntry): Guardrail {
  let guardrail: Guardrail = shared(guard.guardrail);
  if (timeoutMs !== undefined) guardrail = withTimeout(guardrail, timeoutMs);
  if (guard.failOpen) guardrail = failOpen(guardrail);
  if (guard.mode === "shadow") guardrail = shadow(guardrail);
  if (guard.tools !== undefined) guardrail = forTools(guard.tools, guardrail);
  return guard.agent === undefined ? guardrail : when(askedBy(guard.agent), guardrail);
}

/** The guards that the file itself brings, beside those that it lists. */
function ofTheFile({ mode, agents }: Plan, guards: readonly LoadedGuard[]): readonly Guardrail[] {
  if (mode === "shadow") return [everythingInShadow()];
  return agents.length === 0 ? [] : [agentsOnly(guards)];
}

/** Finds names twice inside of what plugins composed. */
export function checkTogether(guardrails: readonly Guardrail[], { faults }: Plan): void {
  if (guardrails.length === 0) return;
  try {
    chain(guardrails);
  } catch (error) {
    if (!ToolstileError.isInstance(error)) throw error;
    faults.add([], error.message);
  }
}
