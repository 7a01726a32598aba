import type { RunOptions } from "@toolstile/core";
import { conversationIn, describeCall, withConversation } from "@toolstile/core/host";
import { sharedSignal } from "@toolstile/core/provider";

/** The host's facts about a call, and the turn, the messages and the signal that the SDK gives with it. */
export function hostFacts<Asked>(
  describe: ((asked: Asked) => RunOptions) | undefined,
  asked: Asked,
  turnId: string | undefined,
  messages: readonly unknown[] | undefined,
  signal: AbortSignal | undefined,
): RunOptions {
  const facts = describeCall(describe && (() => describe(asked)), { turnId });
  const context =
    messages === undefined
      ? facts.context
      : withConversation(facts.context, () => conversationIn(messages));
  const known = { ...facts, ...(context !== undefined && { context }) };
  return signal === undefined ? known : { ...known, signal: sharedSignal(signal) };
}
