import {
  allowAll,
  type GuardrailProvider,
  ToolRunner,
  type ToolRunnerOptions,
} from "@toolstile/core";
import type { FlowGuards } from "./flow-guards.js";
import { askedOnly, onlyFor } from "./mounted.js";
import type { PerToolGuard } from "./per-tool-guard.js";

/** The guards on calls that are asked for one request. */
export interface ActiveCallGuards {
  /** The flow `tool call validation`. */
  readonly flow: boolean;
  /** Names of mounted providers. */
  readonly providers: readonly string[];
  /** Names of the flows of single tools. */
  readonly perTool: readonly string[];
}

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
  readonly #runners = new Map<string, ToolRunner>();
  /** Those of the flow and all providers, without rails of tools. */
  #all: ToolRunner | undefined;
  #asking: ToolRunner | undefined;
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
  of(active: ActiveCallGuards, admits: boolean): ToolRunner | Promise<ToolRunner> {
    const providers = this.#providers.filter(({ name }) => active.providers.includes(name));
    const whole =
      active.flow && active.perTool.length === 0 && providers.length === this.#providers.length;
    const known = whole ? (admits ? this.#all : this.#asking) : undefined;
    return known ?? this.#made(active, providers, admits, whole);
  }

  async #made(
    { flow, perTool }: ActiveCallGuards,
    providers: readonly GuardrailProvider[],
    admits: boolean,
    whole: boolean,
  ): Promise<ToolRunner> {
    const flowGuards = flow || perTool.length > 0 ? await this.flowGuards() : [];
    const hasRails = (tool: string): boolean => this.#perTool.of(tool, perTool).length > 0;
    const guards = atLeastOne([
      ...this.#policy,
      ...(flow ? flowGuards : flowGuards.map((guard) => onlyFor(guard, hasRails))),
      ...(perTool.length > 0 ? [this.#perTool.provider(perTool)] : []),
      ...providers,
    ]);
    const make = (): ToolRunner =>
      admits
        ? new ToolRunner({ ...this.#options, guardrails: guards })
        : this.#runnerThatAsks(guards);
    if (whole && admits) {
      this.#all ??= make();
      return this.#all;
    }
    if (whole) {
      this.#asking ??= make();
      return this.#asking;
    }
    const key = JSON.stringify([admits, flow, perTool, providers.map(({ name }) => name)]);
    const known = this.#runners.get(key);
    if (known !== undefined) return known;
    const runner = make();
    // A request may choose among providers: what is seldom chosen is made anew.
    if (this.#runners.size >= mostRunners) this.#runners.clear();
    this.#runners.set(key, runner);
    return runner;
  }

  /** A runner without observers: it only asks, and nothing follows. */
  #runnerThatAsks(guards: readonly GuardrailProvider[]): ToolRunner {
    const { observers: _, ...unobserved } = this.#options;
    return new ToolRunner({ ...unobserved, guardrails: guards.map(askedOnly) });
  }

  close(): Promise<void> {
    return (this.#all ?? this.#withoutFlow).close();
  }
}

/** Without a guard to ask, calls are still read, recorded and told apart. */
function atLeastOne(guards: readonly GuardrailProvider[]): readonly GuardrailProvider[] {
  return guards.length === 0 ? [allowAll()] : guards;
}
