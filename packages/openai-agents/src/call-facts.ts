import { type RunOptions, ToolstileError } from "@toolstile/core";
import { isObject, optionError } from "@toolstile/core/provider";

/** The facts that the host knows of a call, beside those that the framework knows. */
export type HostFacts = Pick<RunOptions, "agentName" | "context" | "turnId">;

const runs = new WeakMap<object, string>();

/**
 * A name for the run of the framework that a call is of.
 *
 * Some models count their call ids from one in every answer: those of two
 * conversations at once must not be taken for one call that comes twice.
 */
export function runName(runContext: unknown): string | undefined {
  if (!isObject(runContext)) return undefined;
  const known = runs.get(runContext);
  if (known !== undefined) return known;
  const name = crypto.randomUUID();
  runs.set(runContext, name);
  return name;
}

/** @throws ToolstileError for an option that this seam gives itself. */
export function refuseOptions(where: string, options: object, names: readonly string[]): void {
  if (!isObject(options)) throw optionError(where, "options", "an object", options);
  for (const name of names) {
    if (!Object.hasOwn(options, name)) continue;
    throw new ToolstileError("ERR_UNKNOWN_OPTION", `${where} takes no option '${name}'.`);
  }
}
