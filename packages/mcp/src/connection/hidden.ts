import type { Guardrail, GuardrailProvider, RunOptions, ToolCall } from "@toolstile/core";

/** Read of a call that is not there. */
class ArgumentsRead extends Error {}

/**
 * The guards that can be asked whether they refuse a tool whatever its arguments.
 *
 * One that takes or settles anything may deny now and allow later; one that
 * answers by a promise is not asked again, for it may ask somebody else, at a
 * price.
 */
export class ListGuards {
  readonly #guards = new Set<GuardrailProvider>();

  constructor(guardrails: readonly Guardrail[]) {
    for (const guard of guardrails) {
      if (!("evaluate" in guard) || guard.admit !== undefined || guard.settle !== undefined)
        continue;
      this.#guards.add(guard);
    }
  }

  /** Whether some guard denies the tool without having looked at arguments. A courtesy: what decides is the check at the call. */
  refuse(tool: ToolCall["tool"], facts: RunOptions): boolean {
    if (tool === undefined) return false;
    for (const guard of this.#guards) if (this.#refuses(guard, tool, facts)) return true;
    return false;
  }

  #refuses(
    guard: GuardrailProvider,
    tool: NonNullable<ToolCall["tool"]>,
    { agentName, context = {} }: RunOptions,
  ): boolean {
    const call = {
      run: {},
      runId: "",
      callId: "",
      toolName: tool.name,
      requestedName: tool.name,
      agentName,
      context,
      tool,
      get args(): never {
        throw new ArgumentsRead();
      },
      get signal(): never {
        throw new ArgumentsRead();
      },
    };
    try {
      const said: unknown = guard.evaluate(call as ToolCall);
      if (said instanceof Promise || typeof Object(said).then === "function") {
        this.#guards.delete(guard);
        Promise.resolve(said).catch(() => {});
        return false;
      }
      const { decision, approval } = Object(said);
      return decision === "deny" && approval === undefined;
    } catch {
      return false;
    }
  }
}
