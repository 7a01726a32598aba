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

/**
 * The runners of calls, one for each set of guards that requests have asked for.
 *
 * @param load gives the guards of the flow.
 * @param policy the guard of `hooks_server`, which is asked before all others.
 */
export function callRunners(
  load: () => Promise<FlowGuards>,
  ofTools: PerToolGuard,
  mounted: readonly GuardrailProvider[],
  given: Omit<ToolRunnerOptions, "guardrails">,
  policy: readonly GuardrailProvider[],
) {
  const options = { ...given, unchecked: true };
  const runners = new Latest<ToolRunner>(mostRunners);
  /** Those of the flow and all providers, without rails of tools: the one that admits, and the one that only asks. */
  const whole = new Map<boolean, ToolRunner>();
  // Made at once: it refuses providers that are not guards.
  const withoutFlow = new ToolRunner({ ...options, guardrails: atLeastOne(mounted) });
  let loading: Promise<readonly GuardrailProvider[]> | undefined;

  /** The guards of the flow, loaded when they are first asked for. */
  function flowGuards(): Promise<readonly GuardrailProvider[]> {
    loading ??= load().then(({ callGuards }) => callGuards());
    return loading;
  }

  /** @param admits false for a runner that only asks, and takes nothing for it. */
  function of(active: ToolToggles, admits: boolean): ToolRunner | Promise<ToolRunner> {
    const providers = mounted.filter(({ name }) => active.providers.includes(name));
    const isWhole =
      active.flow && active.perTool.length === 0 && providers.length === mounted.length;
    const known = isWhole ? whole.get(admits) : undefined;
    return known ?? made(active, providers, admits, isWhole);
  }

  async function made(
    { flow, perTool }: ToolToggles,
    providers: readonly GuardrailProvider[],
    admits: boolean,
    isWhole: boolean,
  ): Promise<ToolRunner> {
    const own = flow || perTool.length > 0 ? await flowGuards() : [];
    const key = JSON.stringify([admits, flow, perTool, providers.map(({ name }) => name)]);
    // While the guards were loaded, another request may have made it.
    const known = isWhole ? whole.get(admits) : runners.get(key);
    if (known !== undefined) return known;
    const hasRails = (tool: string): boolean => ofTools.of(tool, perTool).length > 0;
    const guards = atLeastOne([
      ...policy,
      ...(flow ? own : own.map((guard) => onlyFor(guard, hasRails))),
      ...(perTool.length > 0 ? [ofTools.provider(perTool)] : []),
      ...providers,
    ]);
    const runner = admits
      ? new ToolRunner({ ...options, guardrails: guards })
      : runnerThatAsks(guards);
    if (isWhole) whole.set(admits, runner);
    // A request may choose among providers: what is seldom chosen is made anew.
    else runners.set(key, runner);
    return runner;
  }

  /** A runner without observers: it only asks, and nothing follows. */
  function runnerThatAsks(guards: readonly GuardrailProvider[]): ToolRunner {
    const { observers: _, ...unobserved } = options;
    return new ToolRunner({ ...unobserved, guardrails: guards.map(askedOnly) });
  }

  const close = (): Promise<void> => (whole.get(true) ?? withoutFlow).close();
  return { flowGuards, of, hasProviders: mounted.length > 0, close };
}

export type CallRunners = ReturnType<typeof callRunners>;

/** Without a guard to ask, calls are still read, recorded and told apart. */
function atLeastOne(guards: readonly GuardrailProvider[]): readonly GuardrailProvider[] {
  return guards.length === 0 ? [allowAll()] : guards;
}
