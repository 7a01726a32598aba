import {
  chain,
  failOpen,
  forTools,
  type Guardrail,
  quoted,
  shadow,
  shared,
  type ToolObserver,
  ToolstileError,
  when,
  withTimeout,
} from "@toolstile/core";
import { member } from "../member.js";
import { agentsOnly, askedBy, everythingInShadow } from "./agents.js";
import { pathText } from "./faults.js";
import type { LoadedGuard } from "./guard-file.js";
import type { Plan, Planned, PlannedGuard } from "./plan.js";

/** What was made of one entry. */
export interface Made<Product> {
  readonly key: string;
  readonly product: Product;
}

/** All that was made of a plan's guards. */
export interface MadeGuards {
  readonly guards: readonly LoadedGuard[];
  /** In the order in which they are asked. */
  readonly guardrails: readonly Guardrail[];
  readonly made: readonly Made<Guardrail>[];
  /** Those of them that were not there before. */
  readonly fresh: readonly Guardrail[];
}

/**
 * Makes the guards of a plan, or takes those that are there already.
 *
 * @param before Guards in use: one whose plugin and options are unchanged is kept, with all that it has counted.
 * @throws GuardFileError after closing what it made.
 */
export async function makeGuards(
  plan: Plan,
  before: readonly Made<Guardrail>[] = [],
): Promise<MadeGuards> {
  const { faults } = plan;
  const kept = [...before];
  const made: Made<Guardrail>[] = [];
  const fresh: Guardrail[] = [];
  const guards: LoadedGuard[] = [];
  const guardrails: Guardrail[] = [];
  const places = new Map<string, string>();
  for (const planned of plan.guards) {
    const at = kept.findIndex(({ key }) => key === planned.key);
    const product =
      at >= 0 ? (kept.splice(at, 1)[0] as Made<Guardrail>).product : attempt(planned, plan);
    if (product === undefined) continue;
    if (at < 0) fresh.push(product as Guardrail);
    if (!isGuardrail(product)) {
      faults.add(planned.path, "makes an observer, which belongs under observers");
      continue;
    }
    const { name } = product;
    const taken = places.get(name);
    if (taken !== undefined) faults.add(planned.path, sameName(name, taken));
    places.set(name, pathText(planned.path));
    made.push({ key: planned.key, product });
    const guard = loaded(planned, product, plan);
    guards.push(guard);
    try {
      guardrails.push(inForce(guard, planned));
    } catch (error) {
      faults.addError(planned.path, error);
    }
  }
  guardrails.push(...ofTheFile(plan, guards));
  if (faults.list.length === 0) checkTogether(guardrails, plan);
  if (faults.list.length > 0) {
    await closeQuietly(fresh);
    faults.throwIfAny();
  }
  return { guards, guardrails, made, fresh };
}

/** @throws GuardFileError after closing what it made. */
export async function makeObservers(plan: Plan): Promise<readonly Made<ToolObserver>[]> {
  const made: Made<ToolObserver>[] = [];
  const places = new Map<string, string>();
  for (const planned of plan.observers) {
    const product = attempt(planned, plan);
    if (product === undefined) continue;
    made.push({ key: planned.key, product: product as ToolObserver });
    if (isGuardrail(product)) {
      plan.faults.add(planned.path, "makes a guard, which belongs under guards");
    }
    const taken = places.get(product.name);
    if (taken !== undefined) plan.faults.add(planned.path, sameName(product.name, taken));
    places.set(product.name, pathText(planned.path));
  }
  if (plan.faults.list.length > 0) {
    await closeQuietly(made.map(({ product }) => product));
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

function loaded(planned: PlannedGuard, guardrail: Guardrail, plan: Plan): LoadedGuard {
  const { entry, agent, path, position, use } = planned;
  return Object.freeze({
    name: guardrail.name,
    use,
    path: pathText(path),
    line: position?.line,
    column: position?.column,
    agent,
    tools: entry.tools === undefined ? undefined : Object.freeze([...entry.tools]),
    mode: entry.mode ?? plan.mode,
    failOpen: entry.failOpen === true,
    guardrail,
  });
}

/** The guard with its deadline, its mode and its scope: what a runner is given. */
function inForce(guard: LoadedGuard, { entry: { timeoutMs } }: PlannedGuard): Guardrail {
  let guardrail: Guardrail = shared(guard.guardrail);
  if (timeoutMs !== undefined) guardrail = withTimeout(guardrail, timeoutMs);
  if (guard.failOpen) guardrail = failOpen(guardrail);
  if (guard.mode === "shadow") guardrail = shadow(guardrail);
  if (guard.tools !== undefined) guardrail = forTools(guard.tools, guardrail);
  return guard.agent === undefined ? guardrail : when(askedBy(guard.agent), guardrail);
}

/** What the file says without a guard. */
function ofTheFile({ mode, agents }: Plan, guards: readonly LoadedGuard[]): readonly Guardrail[] {
  if (mode === "shadow") return [everythingInShadow()];
  return agents.length === 0 ? [] : [agentsOnly(guards)];
}

/** Names inside of what plugins composed. */
function checkTogether(guardrails: readonly Guardrail[], { faults }: Plan): void {
  if (guardrails.length === 0) return;
  try {
    chain(guardrails);
  } catch (error) {
    if (!ToolstileError.isInstance(error)) throw error;
    faults.add([], error.message);
  }
}

type Owned = readonly (Guardrail | ToolObserver)[];

/** Close all, also when one throws. @throws the first error. */
export async function closeAll(owned: Owned): Promise<void> {
  const [failed] = await closed(owned);
  if (failed !== undefined) throw failed.reason;
}

/** Close what was made in vain. Why that is so is what counts, and not how the closing went. */
export async function closeQuietly(owned: Owned): Promise<void> {
  await closed(owned);
}

async function closed(owned: Owned): Promise<readonly PromiseRejectedResult[]> {
  const closing = owned.map(async (each) => {
    const close = member(each, "close");
    if (typeof close === "function") await close.call(each);
  });
  return (await Promise.allSettled(closing)).filter((result) => result.status === "rejected");
}
