import type { FaultReport } from "../call/caller.js";
import type { Guardrail } from "../guard/define.js";
import type { Guard } from "../guard/guard.js";
import { requireNamesApart } from "../guard/guard-names.js";
import {
  isLive,
  type Live,
  type Part,
  type Prepared,
  partsOf,
  policiesOf,
  type Rules,
} from "../guard/live-chain.js";
import type { Policy } from "../guard/policy.js";
import { refusedFault } from "./faults.js";
import type { ToolSet } from "./tool-set.js";

/** The guards of one runner, some of which can be exchanged while it is at work. */
export class RunnerGuards {
  /** Its own guards: those of its parent are not among them. */
  readonly #parts: readonly Part[];
  /** The live chains among its guards and those of its parents. */
  readonly #live: readonly Live[];

  /** @throws ToolstileError for guards that cannot be taken, and for two of one name, among those of the parent too. */
  constructor(
    guardrails: readonly Guardrail[],
    parent: RunnerGuards | undefined,
    above: readonly Policy[] | undefined,
  ) {
    this.#parts = partsOf(guardrails);
    requireNamesApart(this.all, above);
    const own = this.#parts.filter(isLive);
    this.#live = parent === undefined ? own : [...parent.#live, ...own];
  }

  /** The guards as they are now. */
  get policies(): readonly Policy[] {
    return policiesOf(this.#parts);
  }

  get all(): readonly Guard[] {
    return guardsIn(this.policies);
  }

  /** The live chains whose exchanges this runner must prepare. A child without guards of its own shares all that its parent prepares. */
  get followed(): readonly Live[] {
    return this.#parts.length > 0 ? this.#live : [];
  }

  /** Enters the rules that a call begins under; undefined if none of them can be exchanged. */
  enter(): readonly Rules[] | undefined {
    if (this.#live.length === 0) return undefined;
    const rules = this.#live.map(({ current }) => current);
    for (const each of rules) each.enter();
    return rules;
  }

  /** Returns the version of the rules that are in force now, or that of the runner's options. */
  policyVersion(ofRunner: string | undefined): string | undefined {
    if (this.#live.length === 0) return ofRunner;
    const versions = new Set(this.#live.map(({ current }) => current.policyVersion));
    versions.delete(undefined);
    return versions.size === 0 ? ofRunner : [...versions].join("+");
  }

  /** Prepares an exchange of rules, as if the runner were built again with its present tools. @throws ToolstileError as the constructors do. */
  prepare(
    live: Live,
    next: Rules,
    above: readonly Policy[] | undefined,
    tools: ToolSet,
    report: FaultReport,
  ): Prepared {
    const policies = policiesOf(this.#parts, live, next);
    const { policy } = live.current;
    requireNamesApart(
      guardsIn(policies),
      (above ?? []).map((each) => (each === policy ? next.policy : each)),
    );
    // Where the rules are those of a parent, the tools follow the parent's.
    if (!this.#parts.includes(live)) return { commit: () => {}, tell: () => {} };
    const { commit, refused } = tools.under(policies);
    return {
      commit,
      tell: () => {
        for (const { name, refusedBy, cause } of refused) {
          report(refusedBy, "register", refusedFault(name, cause));
        }
      },
    };
  }
}

function guardsIn(policies: readonly Policy[]): readonly Guard[] {
  return policies.flatMap(({ guards }) => guards);
}
