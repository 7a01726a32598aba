import type { ApprovalQuestion } from "@toolstile/core";
import type { Awaitable } from "@toolstile/core/provider";

/** A question to show to somebody. */
export interface ShownQuestion {
  readonly question: ApprovalQuestion;
  /** `render(question)`, with when it expires. */
  readonly text: string;
  /** Milliseconds since the epoch. */
  readonly expiresAt: number;
  /** The number of runs that ask just this at the moment. The answer is for each of them. */
  readonly runs: () => number;
  /** Has a function told when another run joins. */
  readonly onJoin: (listener: (runs: number) => void) => void;
}

/**
 * An answer and who gave it: as the host knows them, never from the
 * call. Any other member makes it no answer, which denies.
 */
export interface PromptAnswer {
  readonly decision: "approved" | "denied";
  readonly by: string;
  /** The reason of a denial. The model reads it. */
  readonly reason?: string | undefined;
}

/** A way to ask somebody. A throw, or anything but an answer, denies. */
export interface ApprovalPrompt {
  readonly name: string;
  /** The signal aborts when no run waits for the answer any more. */
  readonly ask: (
    shown: ShownQuestion,
    options: { readonly signal: AbortSignal },
  ) => Awaitable<PromptAnswer>;
}

/** Asks by a function of yours: a message in a chat, a ticket, a policy engine. */
export function byFunction(ask: ApprovalPrompt["ask"], name = "function"): ApprovalPrompt {
  return Object.freeze({ name, ask });
}
