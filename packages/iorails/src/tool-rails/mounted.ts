import {
  type Allow,
  type GuardrailProvider,
  quoted,
  type ResultGuardrail,
  ToolstileError,
} from "@toolstile/core";

/** What can be mounted on a section: a provider, or for results a judge of results alone. */
export type Mountable = GuardrailProvider | ResultGuardrail;

/** @throws ToolstileError `ERR_INVALID_OPTION` for what would be asked nothing under `rails.tool_output`. */
export function asCallGuard(guard: Mountable): GuardrailProvider {
  if ("evaluate" in guard) return guard;
  throw new ToolstileError(
    "ERR_INVALID_OPTION",
    `${quoted(guard.name)} judges results only, and under rails.tool_output there are none: they come with the next request. Mount it under rails.tool_input.`,
  );
}

/**
 * A guard that is asked about results and about nothing else: their calls were
 * judged, and paid for, when they were handed out.
 *
 * @throws ToolstileError `ERR_INVALID_OPTION` for what would be asked nothing under `rails.tool_input`.
 */
export function asResultGuard(guard: Mountable): ResultGuardrail {
  const { name, timeoutMs } = guard;
  if (guard.evaluateResult === undefined) {
    throw new ToolstileError(
      "ERR_INVALID_OPTION",
      `${quoted(name)} judges no results, and under rails.tool_input there is nothing else. Mount it under rails.tool_output.`,
    );
  }
  return {
    name,
    // Called as the guard's own: it may be of a class. An answer of none is no allow.
    evaluateResult: (call, result) => guard.evaluateResult?.(call, result) as Allow,
    settle:
      guard.settle === undefined ? undefined : (call, outcome) => guard.settle?.(call, outcome),
    timeoutMs,
    close: guard.close === undefined ? undefined : () => guard.close?.(),
  };
}

/** A guard that decides, and takes nothing for it: what `check` asks. */
export function askedOnly(guard: GuardrailProvider): GuardrailProvider {
  const { name, timeoutMs } = guard;
  return {
    name,
    evaluate: (call) => guard.evaluate(call),
    timeoutMs,
    checksArguments:
      guard.checksArguments === undefined
        ? undefined
        : (tool) => guard.checksArguments?.(tool) === true,
    register: guard.register === undefined ? undefined : (tool) => guard.register?.(tool),
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
