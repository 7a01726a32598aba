import { type ToolContent, type ToolOutcome, ToolstileError, throwOnDeny } from "@toolstile/core";

/**
 * What the tool answers. @throws what Mastra is to take for the tool's error.
 *
 * A denial is thrown: what a tool returns goes through its `toModelOutput`, and
 * is a step's success in a workflow.
 */
export function outputOf(outcome: ToolOutcome): unknown {
  switch (outcome.status) {
    case "executed":
      return outcome.value;
    case "failed":
      // Mastra's own word for what it did not take: returned, as without guards.
      if (outcome.error === undefined) return bodyOf(outcome);
      return throwOnDeny(outcome);
    default:
      throw denial(textOf(outcome.result.content), [outcome]);
  }
}

function bodyOf({ result: { structured, content } }: ToolOutcome): unknown {
  return structured === undefined ? content : structured;
}

/** The error that stands for a call that was stopped: the model reads its message. */
export function denial(text: string, outcomes: readonly ToolOutcome[] = []): ToolstileError {
  return new ToolstileError("ERR_DENIED", text, { outcomes });
}

/** An error is text only. */
function textOf(content: ToolContent): string {
  return typeof content === "string" ? content : JSON.stringify(content);
}

/** What Mastra expects of a tool whose call was aborted: the signal's reason. */
export function thrownFor(error: unknown, signal: AbortSignal | undefined): unknown {
  const aborted = ToolstileError.isInstance(error) && error.code === "ERR_ABORTED";
  return aborted && signal?.aborted === true ? signal.reason : error;
}
