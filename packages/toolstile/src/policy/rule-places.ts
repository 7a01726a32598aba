import type { InspectedGuard, OptionPlace } from "@toolstile/config";
import { type OptionFault, OptionFaults, ownText } from "@toolstile/core/provider";
import type { RulesPluginOptions } from "@toolstile/rules";

/** A guard of rules in a guard.yaml. */
export interface RulesGuard {
  readonly guard: InspectedGuard;
  readonly options: RulesPluginOptions;
}

/** The guards of a file that hold calls to rules. */
export function rulesGuardsOf(guards: readonly InspectedGuard[]): readonly RulesGuard[] {
  return guards
    .filter(({ use }) => use === "@toolstile/rules")
    .map((guard) => ({ guard, options: guard.options as unknown as RulesPluginOptions }));
}

/** Finds where the rules and the options of guards stand in a file. */
export class RulePlaces {
  readonly #guards: ReadonlyMap<string, InspectedGuard>;
  /** Guards of rules by the names that records have for them. */
  readonly #rules = new Map<string, RulesGuard>();

  constructor(guards: readonly InspectedGuard[]) {
    this.#guards = new Map(guards.map((guard) => [guard.name, guard]));
    for (const each of rulesGuardsOf(guards)) {
      const { name } = each.guard;
      this.#rules.set(name, each);
      // Its changes are made by a guard of their own.
      if (!this.#guards.has(`${name}-changes`)) this.#rules.set(`${name}-changes`, each);
    }
  }

  /** The guard as the file names it; a provider that is none of the file's stays as it is. */
  guardOf(provider: string): string {
    return this.#rules.get(provider)?.guard.name ?? provider;
  }

  /** The ids of all rules. */
  get ids(): readonly string[] {
    const guards = new Set(this.#rules.values());
    return [...guards].flatMap(({ options }) => options.rules.map(({ id }) => id));
  }

  isOfRules(provider: string): boolean {
    return this.#rules.has(provider);
  }

  /** The place of a rule; undefined for a guard that has no rules of that id. */
  of(provider: string, id: string): OptionPlace | undefined {
    const found = this.#rules.get(provider);
    const index = found?.options.rules.findIndex((rule) => ownText(rule, "id") === id) ?? -1;
    return index === -1 ? undefined : found?.guard.placeOf(["rules", index]);
  }

  /** True of a rule that asks about the caller or the time: what it denies one caller now, it may allow another, or later. */
  asksAboutFacts(provider: string, id: string): boolean {
    const rules = this.#rules.get(provider)?.options.rules ?? [];
    const rule = rules.find((each) => ownText(each, "id") === id);
    return rule !== undefined && [rule.when, rule.require].some(namesFacts);
  }

  /** The faults that a guard has found with its options, each with its place; none if it names no place. */
  faultsOf(
    provider: string,
    error: unknown,
  ): readonly { readonly place: OptionPlace; readonly text: string }[] {
    const guard = this.#rules.get(provider)?.guard ?? this.#guards.get(provider);
    if (guard === undefined) return [];
    const faults: readonly OptionFault[] = OptionFaults.of(error) ?? [];
    return faults.map(({ path, text }) => ({ place: guard.placeOf(path), text }));
  }
}

function namesFacts(condition: unknown): boolean {
  if (typeof condition !== "object" || condition === null) return false;
  if (Array.isArray(condition)) return condition.some(namesFacts);
  return Object.entries(condition).some(
    ([key, value]) =>
      key === "host" ||
      key === "time" ||
      (key === "cel" ? /\bhost\b/.test(String(value)) : namesFacts(value)),
  );
}
