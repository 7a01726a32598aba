import type { RunOptions } from "@toolstile/core";
import { describeCall, sharedSignal } from "@toolstile/core/host";

/** The host's facts about a call, and the turn and signal that the SDK gives with it. */
export function hostFacts<Asked>(
  describe: ((asked: Asked) => RunOptions) | undefined,
  asked: Asked,
  turnId: string | undefined,
  signal: AbortSignal | undefined,
): RunOptions {
  const facts = describeCall(describe && (() => describe(asked)), { turnId });
  return signal === undefined ? facts : { ...facts, signal: sharedSignal(signal) };
}
