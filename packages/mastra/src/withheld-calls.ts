import type { ToolOutcome } from "@toolstile/core";
import { answerOf } from "./answer.js";
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

/**
 * The tool's answer, where a workflow may run it.
 *
 * @throws as `answerOf`; a withheld result by an error that no `retries` of a workflow take up.
 */
export async function answerIn(
  context: ToolCallContext | undefined,
  outcome: ToolOutcome,
): Promise<unknown> {
  try {
    return answerOf(outcome);
  } catch (cause) {
    if (outcome.status !== "withheld" || context?.workflow === undefined) throw cause;
    // Not at the top: that package is an optional peer, and whoever runs a workflow has it.
    const { MastraNonRetryableError } = await import("@mastra/core/error");
    const { message, code, outcomes } = cause as Error & Record<"code" | "outcomes", unknown>;
    throw Object.assign(new MastraNonRetryableError(message, { cause }), { code, outcomes });
  }
}
