import { type GuardrailProvider, type ResultGuardrail, ToolstileError } from "@toolstile/core";
import { quoted } from "@toolstile/core/provider";
import { invalid } from "../errors.js";

/** A guard that can be mounted on a section: a provider, or for results a judge of results alone. */
export type Mountable = (GuardrailProvider | ResultGuardrail) & {
  /**
   * True if `evaluateResult` gives the same answer to the same call id, tool, arguments and
   * content, whoever asks and whenever: it reads no context, no clock and nothing that it
   * remembers.
   *
   * An application sends every result again with each request. Such a judge is asked about it
   * once, if it is mounted before all judges that are not of this kind, and its answer is kept. A
   * guard with `settle` counts as none.
   */
  readonly deterministicResults?: boolean | undefined;
};

/** A judge of results as the engine asks it. */
export interface ResultJudge extends ResultGuardrail {
  readonly deterministicResults: boolean;
}

/** @throws ToolstileError `ERR_INVALID_OPTION` for what would be asked nothing under `rails.tool_call`. */
export function asCallGuard(guard: Mountable): GuardrailProvider {
  if ("evaluate" in guard) return guard;
  throw invalid(
    `${quoted(guard.name)} judges results only, and rails.tool_call judges calls. Put it under rails.tool_result.`,
  );
}

/**
 * A guard that is asked about results and about nothing else: their calls were
 * judged, and paid for, when they were handed out.
 *
 * @throws ToolstileError `ERR_INVALID_OPTION` for what would be asked nothing under `rails.tool_result`.
 */
export function asResultGuard(guard: Mountable): ResultJudge {
  const { name, timeoutMs } = guard;
  if (guard.evaluateResult === undefined) {
    throw invalid(
      `${quoted(name)} judges no results, and rails.tool_result judges only results. Put it under rails.tool_call.`,
    );
  }
  return {
    name,
    // Called as the guard's own: it may be of a class.
    evaluateResult: guard.evaluateResult.bind(guard),
    settle: guard.settle?.bind(guard),
    timeoutMs,
    close: guard.close?.bind(guard),
    deterministicResults: guard.deterministicResults === true && guard.settle === undefined,
  };
}

/** A guard that decides, and takes nothing for it: what `check` asks. */
export function askedOnly(guard: GuardrailProvider): GuardrailProvider {
  const { name, timeoutMs } = guard;
  return {
    name,
    evaluate: guard.evaluate.bind(guard),
    timeoutMs,
    checksArguments: guard.checksArguments?.bind(guard),
    register: guard.register?.bind(guard),
  };
}

/** A guard of some tools: the calls of others it allows, under its own name. */
export function onlyFor(
  guard: GuardrailProvider,
  covers: (toolName: string) => boolean,
): GuardrailProvider {
  const { name, timeoutMs, checksArguments, register } = guard;
  return {
    name,
    evaluate: (call) => (covers(call.toolName) ? guard.evaluate(call) : { decision: "allow" }),
    timeoutMs,
    checksArguments: checksArguments && ((tool) => covers(tool.name) && checksArguments(tool)),
    register: register && ((tool) => (covers(tool.name) ? register(tool) : undefined)),
  };
}

/** @throws ToolstileError `ERR_DUPLICATE_PROVIDER` where a name stands for two, or for a flow. */
export function checkMountedNames(
  section: string,
  guards: readonly Mountable[],
  taken: readonly string[],
): void {
  const seen = new Set(taken);
  for (const { name } of guards) {
    if (seen.has(name)) {
      throw new ToolstileError(
        "ERR_DUPLICATE_PROVIDER",
        `Under ${section}, ${quoted(name)} is mounted twice, or has the name of a flow. Give one of them another name.`,
      );
    }
    seen.add(name);
  }
}
