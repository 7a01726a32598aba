import { type Ruling, type Verdict, verdicts } from "../policy/ruling.js";

/** A call that a policy has decided on. */
export interface RuledCall {
  readonly tool: string;
  /** The decisions, the one that counts most first; none if it was let pass as it was. */
  readonly rulings: readonly Ruling[];
}

/** The number of calls of a tool to which a rule, or a guard without rules, did one thing. */
export interface PolicyCount {
  readonly guard: string;
  readonly rule: string | undefined;
  readonly code: string | undefined;
  readonly tool: string;
  readonly verdict: Ruling["verdict"];
  readonly shadow: boolean;
  readonly calls: number;
}

/** The counts of what a policy would have done, by rule. */
export class PolicyTally {
  readonly #verdicts = new Map<Verdict, number>();
  readonly #counts = new Map<string, PolicyCount>();

  count({ tool, rulings }: RuledCall): void {
    const first = rulings.find(({ shadow }) => !shadow);
    this.#addVerdict(first?.verdict ?? "allow", 1);
    for (const { guard, rules, code, verdict, shadow } of rulings) {
      const same = { guard, tool, verdict, shadow, calls: 1 };
      if (rules.length === 0) this.#add({ ...same, rule: undefined, code });
      for (const rule of rules) this.#add({ ...same, rule, code: undefined });
    }
  }

  include(other: PolicyTally): void {
    for (const [verdict, calls] of other.#verdicts) this.#addVerdict(verdict, calls);
    for (const count of other.#counts.values()) this.#add(count);
  }

  #addVerdict(verdict: Verdict, calls: number): void {
    this.#verdicts.set(verdict, (this.#verdicts.get(verdict) ?? 0) + calls);
  }

  #add(count: PolicyCount): void {
    const key = keyOf(count);
    const before = this.#counts.get(key);
    this.#counts.set(key, { ...count, calls: count.calls + (before?.calls ?? 0) });
  }

  /** The number of calls by verdict: each call counts once. */
  get verdicts(): readonly (readonly [verdict: Verdict, calls: number])[] {
    return verdicts.toReversed().flatMap((verdict) => {
      const calls = this.#verdicts.get(verdict);
      return calls === undefined ? [] : [[verdict, calls] as const];
    });
  }

  /** By guard, rule, tool and verdict, in the order of the alphabet. */
  get counts(): readonly PolicyCount[] {
    return [...this.#counts]
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([, count]) => count);
  }

  /** As `--json` prints it. */
  toJSON(): object {
    return { verdicts: Object.fromEntries(this.verdicts), counts: this.counts };
  }
}

function keyOf({ guard, rule, code, tool, verdict, shadow }: PolicyCount): string {
  return JSON.stringify([guard, rule ?? code ?? "", tool, verdict, shadow]);
}
