import {
  allowAll,
  type GuardrailProvider,
  ToolRunner,
  type ToolRunnerOptions,
} from "@toolstile/core";
import type { ToolToggles } from "../config/toggles.js";
import { Latest } from "../latest.js";
import type { FlowGuards } from "./flow-guards.js";
import { askedOnly, onlyFor } from "./mounted.js";
import type { PerToolGuard } from "./per-tool-guard.js";

const mostRunners = 64;

/** The runners of calls, one for each set of guards that requests have asked for. */
export class CallRunners {
  readonly #policy: readonly GuardrailProvider[];
  readonly #perTool: PerToolGuard;
  readonly #providers: readonly GuardrailProvider[];
  readonly #load: () => Promise<FlowGuards>;
  /** Absent until the first call. */
  #flowGuards: Promise<readonly GuardrailProvider[]> | undefined;
  readonly #options: Omit<ToolRunnerOptions, "guardrails">;
  readonly #runners = new Latest<ToolRunner>(mostRunners);
  /** Those of the flow and all providers, without rails of tools: the one that admits, and the one that only asks. */
  readonly #whole = new Map<boolean, ToolRunner>();
  readonly #withoutFlow: ToolRunner;

  /** @param load gives the guards of the flow. @param policy the guard of `hooks_server`, which is asked before all others. */
  constructor(
    load: () => Promise<FlowGuards>,
    perTool: PerToolGuard,
    providers: readonly GuardrailProvider[],
    options: Omit<ToolRunnerOptions, "guardrails">,
    policy: readonly GuardrailProvider[] = [],
  ) {
    this.#policy = policy;
    this.#perTool = perTool;
    this.#providers = providers;
    this.#options = { ...options, unchecked: true };
    this.#load = load;
    // Made at once: it refuses providers that are not guards.
    this.#withoutFlow = new ToolRunner({
      ...this.#options,
      guardrails: atLeastOne(providers),
    });
  }

  /** The guards of the flow, loaded when they are first asked for. */
  flowGuards(): Promise<readonly GuardrailProvider[]> {
    this.#flowGuards ??= this.#load().then(({ callGuards }) => callGuards());
    return this.#flowGuards;
  }

  get hasProviders(): boolean {
    return this.#providers.length > 0;
  }

  /** @param admits false for a runner that only asks, and takes nothing for it. */
  of(active: ToolToggles, admits: boolean): ToolRunner | Promise<ToolRunner> {
    const providers = this.#providers.filter(({ name }) => active.providers.includes(name));
    const isWhole =
      active.flow && active.perTool.length === 0 && providers.length === this.#providers.length;
    const known = isWhole ? this.#whole.get(admits) : undefined;
    return known ?? this.#made(active, providers, admits, isWhole);
  }

  async #made(
    { flow, perTool }: ToolToggles,
    providers: readonly GuardrailProvider[],
    admits: boolean,
    isWhole: boolean,
  ): Promise<ToolRunner> {
    const flowGuards = flow || perTool.length > 0 ? await this.flowGuards() : [];
    const key = JSON.stringify([admits, flow, perTool, providers.map(({ name }) => name)]);
    // While the guards were loaded, another request may have made it.
    const known = isWhole ? this.#whole.get(admits) : this.#runners.get(key);
    if (known !== undefined) return known;
    const hasRails = (tool: string): boolean => this.#perTool.of(tool, perTool).length > 0;
    const guards = atLeastOne([
      ...this.#policy,
      ...(flow ? flowGuards : flowGuards.map((guard) => onlyFor(guard, hasRails))),
      ...(perTool.length > 0 ? [this.#perTool.provider(perTool)] : []),
      ...providers,
    ]);
    const runner = admits
      ? new ToolRunner({ ...this.#options, guardrails: guards })
      : this.#runnerThatAsks(guards);
    if (isWhole) this.#whole.set(admits, runner);
    // A request may choose among providers: what is seldom chosen is made anew.
    else this.#runners.set(key, runner);
    return runner;
  }

  /** A runner without observers: it only asks, and nothing follows. */
  #runnerThatAsks(guards: readonly GuardrailProvider[]): ToolRunner {
    const { observers: _, ...unobserved } = this.#options;
    return new ToolRunner({ ...unobserved, guardrails: guards.map(askedOnly) });
  }

  close(): Promise<void> {
    return (this.#whole.get(true) ?? this.#withoutFlow).close();
  }
}

/** Without a guard to ask, calls are still read, recorded and told apart. */
function atLeastOne(guards: readonly GuardrailProvider[]): readonly GuardrailProvider[] {
  return guards.length === 0 ? [allowAll()] : guards;
}
