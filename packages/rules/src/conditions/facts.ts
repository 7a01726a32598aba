import type { CallContext, ToolCall, ToolResult } from "@toolstile/core";
import { own, textOfResult } from "@toolstile/core/provider";

/** The facts that a condition is asked about. */
export interface Facts {
  readonly call: ToolCall;
  /** The result, where it is about one. */
  readonly result: ToolResult | undefined;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** The source at which a pointer begins. */
export type Source = "at" | "host" | "result";

/** The value at which a pointer of each source begins. */
export const roots: Readonly<Record<Source, (facts: Facts) => unknown>> = {
  at: ({ call }) => call.args,
  host: ({ call }) => hostFacts(call),
  result: ({ result }) => (result === undefined ? undefined : resultFacts(result)),
};

export const hostNames = ["agentName", "principal", "sessionId", "tenant", "attributes"] as const;

/** The facts that the host gave of a call, each its own. */
export function hostFacts(call: ToolCall): Readonly<Record<string, unknown>> {
  const context: CallContext = own(call, "context") ?? {};
  return {
    agentName: own(call, "agentName"),
    principal: own(context, "principal"),
    sessionId: own(context, "sessionId"),
    tenant: own(context, "tenant"),
    attributes: own(context, "attributes"),
  };
}

export const resultNames = ["text", "isError", "content", "structured"] as const;

/** A result, with all that a model may read of it as one text. */
export function resultFacts(result: ToolResult): Readonly<Record<string, unknown>> {
  return {
    isError: result.isError,
    content: result.content,
    structured: own(result, "structured"),
    get text() {
      return textOfResult(result);
    },
  };
}
