import type { ToolOutcome } from "@toolstile/core";

/** Whether a judge changed the result, and not only to see what would become of it. */
export function isRewritten({ decisions }: ToolOutcome): boolean {
  return decisions.some(
    ({ phase, decision, mode }) => phase === "result" && decision === "modify" && mode !== "shadow",
  );
}
