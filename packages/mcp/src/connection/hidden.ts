import type {
  Guardrail,
  GuardrailProvider,
  RunOptions,
  ToolCall,
  ToolDefinition,
} from "@toolstile/core";

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
  refusing(facts: RunOptions): (tool: ToolDefinition) => boolean {
    return (tool) => [...this.#guards].some((guard) => this.#refuses(guard, tool, facts));
  }

  #refuses(
    guard: GuardrailProvider,
    tool: ToolDefinition,
    { agentName, context = {} }: RunOptions,
  ): boolean {
    let hasRead = false;
    const read = (): never => {
      hasRead = true;
      throw new Error("There are no arguments: the tool is only asked about.");
    };
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
        return read();
      },
      get signal(): never {
        return read();
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
      return !hasRead && decision === "deny" && approval === undefined;
    } catch {
      return false;
    }
  }
}
