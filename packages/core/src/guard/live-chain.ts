import { nonEmptyText, text } from "../errors/option-readers.js";
import { type OptionTable, readOptions } from "../errors/options.js";
import type { GuardrailProvider } from "../protocol/guardrail.js";
import { composed } from "./compose.js";
import { entriesOf, flatten, type Guardrail, guardsOfEach, livesOn } from "./define.js";
import type { Guard } from "./guard.js";
import { refuseReserved, requireNamesApart } from "./guard-names.js";
import { Policy } from "./policy.js";
import { allow } from "./verdicts.js";

/** Guards that can be exchanged while the runners that have them are at work. */
export interface LiveChain {
  /** The guardrail for the list of a runner. It cannot stand inside another guard, which would keep the guards that it was built with. */
  readonly guardrail: GuardrailProvider;
  /**
   * Puts other guards in place of these, for every runner at once, between two calls.
   *
   * An open call ends under the guards, and with the policy
   * version, that it began with. All runners tell the new guards of their tools
   * before any call does. `retired` resolves when the last call under the old
   * guards is over: after that they are not asked any more.
   *
   * @throws ToolstileError, and changes nothing, if one of the runners could not
   *   be built with these guards and the tools that it has now.
   */
  readonly replace: (
    guardrails: readonly Guardrail[],
    options?: LiveChainOptions,
  ) => { readonly retired: Promise<void> };
}

export interface LiveChainOptions {
  /** The version on the records of these guards' calls, in place of the runner's own. */
  readonly policyVersion?: string | undefined;
}

const liveChainOptions = { policyVersion: text() } satisfies OptionTable<LiveChainOptions>;

/** A pipeline that is built on the guards of a live chain. */
export interface Follower {
  readonly closed: boolean;
  readonly prepare: (live: Live, next: Rules) => Prepared;
}

/** The last steps of an exchange that is ready. Neither throws. */
export interface Prepared {
  readonly commit: () => void;
  /** Tells operators of the exchange, when every follower has made it. */
  readonly tell: () => void;
}

/** Guards, and the number of calls that are open under them. */
export class Rules {
  readonly guardrail: GuardrailProvider;
  /** The guards as those runners share them that have the chain. */
  readonly policy: Policy;
  readonly policyVersion: string | undefined;
  #open = 0;
  #over: (() => void) | undefined;

  constructor(name: string, guardrails: readonly Guardrail[], options: LiveChainOptions) {
    const guards = flatten(guardrails, "A live chain").map((guard) =>
      guard.facts.close === undefined ? guard : guard.with({ close: undefined }),
    );
    const { policyVersion } = readOptions("A live chain", options, liveChainOptions);
    this.guardrail = composed(name, guards);
    this.policy = new Policy(guards);
    this.policyVersion = policyVersion;
  }

  enter(): void {
    this.#open++;
  }

  leave(): void {
    if (--this.#open === 0) this.#over?.();
  }

  retire(): Promise<void> {
    if (this.#open === 0) return Promise.resolve();
    return new Promise((resolve) => (this.#over = resolve));
  }
}

/** The inside of a live chain: its rules, and the pipelines that follow it. */
export class Live {
  current: Rules;
  /** Weak references, because a runner may be dropped without being closed. */
  #followers = new Set<WeakRef<Follower>>();
  #most = 16;

  constructor(rules: Rules) {
    this.current = rules;
  }

  follow(follower: Follower): void {
    if (this.#followers.size >= this.#most) {
      this.#followers = new Set(this.#present().map((each) => new WeakRef(each)));
      this.#most = Math.max(16, 2 * this.#followers.size);
    }
    this.#followers.add(new WeakRef(follower));
  }

  #present(): Follower[] {
    const all = Array.from(this.#followers, (each) => each.deref());
    return all.filter((each) => each !== undefined).filter(({ closed }) => !closed);
  }

  replace(next: Rules): { readonly retired: Promise<void> } {
    const prepared: Prepared[] = [];
    // The loop is over the set itself: a follower that is added in the meantime is visited, too.
    for (const reference of this.#followers) {
      const follower = reference.deref();
      if (follower?.closed === false) prepared.push(follower.prepare(this, next));
    }
    const before = this.current;
    this.current = next;
    for (const { commit } of prepared) commit();
    for (const { tell } of prepared) tell();
    return { retired: before.retire() };
  }
}

const lives = new WeakMap<object, Live>();

/**
 * Makes a chain whose guards can be exchanged while runners are at work.
 *
 * The code that made the guards closes them; runners do not. Without guards, the
 * chain judges nothing.
 *
 * @throws ToolstileError as `chain` does.
 */
export function liveChain(
  guardrails: readonly Guardrail[],
  options: LiveChainOptions & { readonly name?: string } = {},
): LiveChain {
  // Before the options: in liveChain(a, b) a guard is in their place.
  flatten(guardrails, "liveChain()");
  const { name, ...rest } = readOptions("liveChain()", options, {
    ...liveChainOptions,
    name: nonEmptyText().default("live"),
  });
  refuseReserved(name, "guardrails");
  const live = new Live(new Rules(name, guardrails, rest));
  const provider: GuardrailProvider = {
    name,
    // For callers that ask the guardrail directly or read its members. Runners ask the guards themselves.
    evaluate: (call) => live.current.guardrail.evaluate(call),
    admit: (call) => live.current.guardrail.admit?.(call) ?? allow(),
    evaluateResult: (call, result) =>
      live.current.guardrail.evaluateResult?.(call, result) ?? allow(),
    settle: (call, outcome) => live.current.guardrail.settle?.(call, outcome),
  };
  const guardrail = Object.freeze({ ...provider, [livesOn]: true });
  lives.set(guardrail, live);
  return Object.freeze({
    guardrail,
    replace: (others: readonly Guardrail[], further: LiveChainOptions = {}) =>
      live.replace(new Rules(name, others, further)),
  });
}

/** The guards that `forManyRunners` has joined. */
const shares = new WeakMap<object, Policy>();

/** Guards of a runner: of a live chain, or those that stand between two of them. One that is shared has the same guards in every runner. */
export type Part = Live | Policy;

/** Returns the parts of a list of guardrails. @throws ToolstileError as `flatten` does. */
export function partsOf(guardrails: readonly Guardrail[]): readonly Part[] {
  const entries = entriesOf(guardrails);
  const chains = entries.map((each) => lives.get(each));
  const inForce = entries.map((each, index) => chains[index]?.current.guardrail ?? each);
  const guards = guardsOfEach(inForce);
  requireNamesApart(guards.flat());
  const parts: Part[] = [];
  let between: Guard[] = [];
  const end = (): void => {
    if (between.length > 0) parts.push(new Policy(between));
    between = [];
  };
  for (const [index, entry] of entries.entries()) {
    const shared = lives.get(entry) ?? shares.get(entry);
    if (shared === undefined) for (const each of guards[index] ?? []) between.push(each);
    else {
      end();
      parts.push(shared);
    }
  }
  end();
  return parts;
}

/**
 * Joins guardrails so that all runners that are given the result, and the same
 * frozen list of tools, tell the guards of each tool once.
 *
 * @throws ToolstileError as a runner does.
 */
export function forManyRunners(guardrails: readonly Guardrail[]): readonly Guardrail[] {
  const given = entriesOf(guardrails);
  return partsOf(given).map((part) => {
    if (isLive(part)) return given.find((each) => lives.get(each) === part) as Guardrail;
    const joined = composed("guardrails", part.guards);
    shares.set(joined, part);
    return joined;
  });
}

export function isLive(part: Part): part is Live {
  return part instanceof Live;
}

/** Returns the guards of some parts as they are now, or as they would be with other rules in one live chain. */
export function policiesOf(
  parts: readonly Part[],
  changing?: Live,
  next?: Rules,
): readonly Policy[] {
  return parts.map((part) => {
    if (!isLive(part)) return part;
    return (part === changing && next !== undefined ? next : part.current).policy;
  });
}
