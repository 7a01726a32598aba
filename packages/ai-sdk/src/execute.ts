import type { GuardedExecutor, ToolOutcome } from "@toolstile/core";
import { outputOf, thrownFor } from "./answer.js";
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
  executor: GuardedExecutor<[ToolCallOptions], unknown>,
  requests: SdkApprovalRequests,
  usedInputs: UsedInputs,
): Execute {
  const pieces = (input: unknown, call: ToolCallOptions): Pieces => {
    const resume = requests.resumption(name, input, call, (id) => executor.resume(id, call));
    return resume === undefined ? executor.stream(name, input, call) : resumed(resume);
  };
  const output = (input: unknown) => (outcome: ToolOutcome) => {
    usedInputs.note(input, outcome);
    return outputOf(outcome);
  };
  return isGeneratorFunction(original)
    ? (input, call) => streamed(pieces(input, call), output(input), call.abortSignal)
    : async (input, call) => answered(pieces(input, call), output(input), call.abortSignal);
}

function isGeneratorFunction(execute: object): boolean {
  return Object.prototype.toString.call(execute) === "[object AsyncGeneratorFunction]";
}

/** A call that was approved in the meantime runs to its end at once. */
async function* resumed(resume: () => Promise<ToolOutcome>): Pieces {
  yield* [];
  return await resume();
}

async function answered(
  pieces: Pieces,
  output: (outcome: ToolOutcome) => unknown,
  signal: AbortSignal | undefined,
): Promise<unknown> {
  try {
    let step = await pieces.next();
    while (step.done !== true) step = await pieces.next();
    return output(step.value);
  } catch (error) {
    throw thrownFor(error, signal);
  }
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
