import type { ToolOutcome } from "@toolstile/core";
import type { Attempt, ToolCallContext } from "./mastra.js";

/**
 * The calls of background tasks whose result was withheld.
 *
 * A withheld result is an error to Mastra, whose retries would run a tool again
 * that has done its work. Each attempt is told the same list of messages.
 */
export class WithheldCalls {
  readonly #outcomes = new WeakMap<object, Map<string | undefined, ToolOutcome>>();

  /** The outcome of an earlier attempt. */
  of(attempt: Attempt | undefined): ToolOutcome | undefined {
    return this.#outcomes.get(Object(attempt?.messages))?.get(attempt?.toolCallId);
  }

  note(attempt: Attempt | undefined, outcome: ToolOutcome): void {
    const { messages, toolCallId, isBackgroundTask } = attempt ?? {};
    if (outcome.status !== "withheld" || isBackgroundTask !== true) return;
    if (typeof messages !== "object" || messages === null) return;
    const known = this.#outcomes.get(messages) ?? new Map<string | undefined, ToolOutcome>();
    this.#outcomes.set(messages, known.set(toolCallId, outcome));
  }
}

/** The error of a call for Mastra: for a withheld result in a workflow, one that no `retries` take up. */
export async function errorIn(
  context: ToolCallContext | undefined,
  { status }: ToolOutcome,
  cause: unknown,
): Promise<unknown> {
  if (status !== "withheld" || context?.workflow === undefined) return cause;
  // Not at the top: that package is an optional peer, and whoever runs a workflow has it.
  const { MastraNonRetryableError } = await import("@mastra/core/error");
  const { message, code, outcomes } = cause as Error & Record<"code" | "outcomes", unknown>;
  return Object.assign(new MastraNonRetryableError(message, { cause }), { code, outcomes });
}
