import type { RunOptions, ToolRunner } from "@toolstile/core";
import { denial, outputOf } from "@toolstile/core/host";
import type { SdkTool, ToolCallOptions } from "./sdk.js";

type Available = ToolCallOptions & { readonly input?: unknown };

/**
 * Decides on a call of a tool that the application runs, when its input is there.
 *
 * @throws ToolstileError `ERR_DENIED`, by which the run rejects: the SDK asks
 * nothing here, and would hand the call over.
 */
export function guardedInput(
  name: string,
  tool: SdkTool,
  runner: ToolRunner,
  described: (call: ToolCallOptions) => RunOptions & { callId: string },
): (available: Available) => Promise<void> {
  const original = tool.onInputAvailable as ((available: Available) => unknown) | undefined;
  return async (available) => {
    const { callId, ...options } = described(available);
    const opened = await runner.open({ name, arguments: available.input, callId }, options);
    if (opened.outcome !== undefined) {
      outputOf(opened.outcome);
    } else if (opened.modifiedBy.length > 0) {
      const outcome = await opened.close({ unused: true });
      throw denial(
        "Tool call denied: its arguments were changed, and the application would run it with the old ones",
        [outcome],
      );
    } else {
      const outcome = await opened.close({ released: true });
      if (outcome.status !== "released") outputOf(outcome);
    }
    await original?.call(tool, available);
  };
}
