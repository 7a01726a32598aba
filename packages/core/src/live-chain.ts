import { composed } from "./chain.js";
import { ToolstileError } from "./errors.js";
import { checkOptions } from "./naming.js";
import type { GuardrailProvider } from "./protocol.js";
import { flatten, type Guardrail, givenName, livesOn } from "./provider.js";
import { allow } from "./verdict.js";

/** Guards that can be exchanged while the runners that have them are at work. */
export interface LiveChain {
  /** What runners are given among their guardrails. It stands in no other guard: that one would keep the guards it was built with. */
  readonly guardrail: GuardrailProvider;
  /**
   * Put other guards in place of these, for every runner at once, between two calls.
   *
   * A call that is under way ends under the guards, and with the policy
   * version, that it began with. All runners tell the new guards of their tools
   * before any call does. `retired` resolves when the last call under the old
   * guards is over: then nothing asks them any more.
   *
   * @throws ToolstileError, and changes nothing, where one of the runners could
   *   not be built anew with these guards and the tools that it has now.
   */
  readonly replace: (
    guardrails: readonly Guardrail[],
    options?: LiveChainOptions,
  ) => { readonly retired: Promise<void> };
}

export interface LiveChainOptions {
  /** Stands on the records of these guards' calls, in place of the runner's own. */
  readonly policyVersion?: string | undefined;
}

/** Whoever builds on the guards of a live chain. */
export interface Follower {
  readonly closed: boolean;
  readonly prepare: (live: Live, next: Rules) => Prepared;
}

/** All is ready for other rules. Neither throws. */
export interface Prepared {
  readonly commit: () => void;
  /** Tell operators of it, once it is so for everybody. */
  readonly tell: () => void;
}

/** Guards, and the calls that are under way under them. */
export class Rules {
  readonly guardrail: GuardrailProvider;
  readonly policyVersion: string | undefined;
  #open = 0;
  #over: (() => void) | undefined;

  constructor(name: string, guardrails: readonly Guardrail[], options: LiveChainOptions) {
    checkOptions("A live chain", options, ["policyVersion"]);
    const given = Object.hasOwn(options, "policyVersion") ? options.policyVersion : undefined;
    if (given !== undefined && typeof given !== "string") {
      throw new ToolstileError("ERR_INVALID_OPTION", "The option 'policyVersion' is text.");
    }
    const links = flatten(guardrails).map((link) => link.with({ close: undefined }));
    this.guardrail = composed(name, links);
    this.policyVersion = given;
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

/** What a live chain is, on the inside. */
export class Live {
  current: Rules;
  /** Weakly, for a runner may be dropped without being closed. */
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
    // Over the set itself: one that begins to follow in the meantime is visited, too.
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
 * A chain whose guards can be exchanged while runners are at work.
 *
 * The guards are closed by whoever made them, and by no runner. Without any,
 * it judges nothing.
 *
 * @throws ToolstileError as `chain` does.
 */
export function liveChain(
  guardrails: readonly Guardrail[],
  options: LiveChainOptions & { readonly name?: string } = {},
): LiveChain {
  checkOptions("liveChain()", options, ["name", "policyVersion"]);
  const { name: chosen, ...rest } = options;
  const name = givenName("liveChain()", chosen === undefined ? {} : { name: chosen }) ?? "live";
  const live = new Live(new Rules(name, guardrails, rest));
  const provider: GuardrailProvider = {
    name,
    // For those who ask by hand, and those who look what it has. Runners ask the guards themselves.
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

/** The live chains among some guardrails. */
export function liveAmong(guardrails: readonly Guardrail[]): readonly Live[] {
  if (!Array.isArray(guardrails)) return [];
  return guardrails.map((each) => lives.get(each)).filter((live) => live !== undefined);
}

/** Guardrails as they are now, or as they would be with other rules in one live chain. */
export function inForce(
  guardrails: readonly Guardrail[],
  changing?: Live,
  next?: Rules,
): readonly Guardrail[] {
  if (!Array.isArray(guardrails)) return guardrails;
  return guardrails.map((each) => {
    const live = lives.get(each);
    if (live === undefined) return each;
    return (live === changing && next !== undefined ? next : live.current).guardrail;
  });
}
