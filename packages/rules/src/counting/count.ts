import type { ToolCall } from "@toolstile/core";
import { own } from "@toolstile/core/provider";

/** The fact by which calls are counted together. */
export type CountedBy = "session" | "principal" | "agent" | "tenant";
export const countedBy: readonly CountedBy[] = ["session", "principal", "agent", "tenant"];

export const longestKey = 1_024;

/** The key of a call; null if it is too long to be kept. Calls without the fact have one key together. */
export function keyOf(call: ToolCall, by: CountedBy): string | undefined | null {
  const key = fact(call, by);
  return key === undefined || key.length <= longestKey ? key : null;
}

function fact(call: ToolCall, by: CountedBy): string | undefined {
  switch (by) {
    case "session":
      return own(call.context, "sessionId");
    case "principal":
      return own(call.context, "principal");
    case "tenant":
      return own(call.context, "tenant");
    case "agent":
      return own(call, "agentName");
  }
}
