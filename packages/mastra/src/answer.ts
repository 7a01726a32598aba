import type { ToolOutcome } from "@toolstile/core";
import { outputOf } from "@toolstile/core/host";

/**
 * The tool's answer for Mastra. @throws the tool's error, or a denial.
 *
 * A denial is thrown: what a tool returns goes through its `toModelOutput`, and
 * is a step's success in a workflow.
 */
export function answerOf(outcome: ToolOutcome): unknown {
  const { structured, content } = outcome.result;
  // Mastra's own word for what it did not take: returned, as without guards.
  const isReported = outcome.status === "failed" && outcome.error === undefined;
  return isReported ? (structured ?? content) : outputOf(outcome);
}
