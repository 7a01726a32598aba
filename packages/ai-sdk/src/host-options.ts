import { type RunOptions, ToolstileError } from "@toolstile/core";

/** The options of a runner that a host may give, and `describe`. */
export const hostOptions: readonly string[] = [
  "guardrails",
  "observers",
  "receiptSigner",
  "policyVersion",
  "unchecked",
  "timeoutMs",
  "limits",
  "maxOpenCalls",
  "onFault",
  "clock",
  "describe",
];

/**
 * What the host says of a call, and the signal that the SDK gives with it.
 *
 * @throws ToolstileError `ERR_INVALID_OPTION` for a promise, of which nothing would be read.
 */
export function hostFacts<Asked>(
  describe: ((asked: Asked) => RunOptions) | undefined,
  asked: Asked,
  turnId: string | undefined,
  signal: AbortSignal | undefined,
): RunOptions {
  const facts = describe?.(asked) ?? {};
  if ("then" in facts) {
    throw new ToolstileError(
      "ERR_INVALID_OPTION",
      "describe() answers at once, not with a promise.",
    );
  }
  return { turnId, ...facts, ...(signal === undefined ? undefined : { signal }) };
}
