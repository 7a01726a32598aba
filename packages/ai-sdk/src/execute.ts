import type { ToolOutcome } from "@toolstile/core";
import { type GuardedCalls, outputOf, thrownFor } from "@toolstile/core/host";
import type { SdkApprovalRequests } from "./approval-requests.js";
import type { Execute, ToolCallOptions } from "./sdk.js";
import type { UsedInputs } from "./used-inputs.js";

type Pieces = AsyncGenerator<unknown, ToolOutcome>;

/**
 * The function that the SDK runs in place of the tool's own.
 *
 * The SDK looks at what it returns before any guard can have answered, so that
 * only a tool that is written as an async generator is known to stream.
 */
export function guardedExecute(
  name: string,
  original: Execute,
  calls: GuardedCalls<[ToolCallOptions]>,
  requests: SdkApprovalRequests,
  usedInputs: UsedInputs,
): Execute {
  const output = (input: unknown) => (outcome: ToolOutcome) => {
    usedInputs.note(input, outcome);
    return outputOf(outcome);
  };
  const resume = (call: ToolCallOptions) => (id: string) => calls.resume(id, call);
  if (isGeneratorFunction(original)) {
    const pieces = async function* (input: unknown, call: ToolCallOptions): Pieces {
      // A call that was approved in the meantime runs to its end at once.
      const resumed = await requests.resumed(name, input, call, resume(call));
      if (resumed !== undefined) return resumed;
      const outcome = yield* calls.stream(name, input, call);
      return requests.lifted(outcome, name, input, call, resume(call));
    };
    return (input, call) => streamed(pieces(input, call), output(input), call.abortSignal);
  }
  return async (input, call) => {
    try {
      const resumed = await requests.resumed(name, input, call, resume(call));
      if (resumed !== undefined) return output(input)(resumed);
      const outcome = await calls.outcome(name, input, call);
      return output(input)(await requests.lifted(outcome, name, input, call, resume(call)));
    } catch (error) {
      throw thrownFor(error, call.abortSignal);
    }
  };
}

function isGeneratorFunction(execute: object): boolean {
  return Object.prototype.toString.call(execute) === "[object AsyncGeneratorFunction]";
}

/** The pieces, and at the end the output as it was judged, which to the SDK is the last of them. */
async function* streamed(
  pieces: Pieces,
  output: (outcome: ToolOutcome) => unknown,
  signal: AbortSignal | undefined,
): AsyncGenerator<unknown, void> {
  const none = Symbol("no piece");
  let last: unknown = none;
  try {
    for (;;) {
      const step = await pieces.next();
      if (step.done === true) {
        const final = output(step.value);
        if (!Object.is(final, last)) yield final;
        return;
      }
      last = step.value;
      yield last;
    }
  } catch (error) {
    throw thrownFor(error, signal);
  } finally {
    // A reader who left aborts the tool.
    await pieces.return(undefined as never);
  }
}
