import type { Clock } from "@toolstile/core";
import type { CallerSignal } from "@toolstile/core/provider";
import type { AskedApproval } from "../record/record.js";
import type { ApprovalStore } from "../store/store.js";
import { findApproval } from "./answering.js";

/** A store that cannot tell of answers is looked into so often, in milliseconds. */
const pollMs = 1_000;
/** The same of one that can: a folder on a network may be changed without a word. */
const watchedPollMs = 10_000;

/**
 * Waits until an approval is pending no more, its time is over, or a caller gives up; then says how it stands.
 *
 * A store with `watch` wakes it at once.
 */
export async function awaitAnswer(
  store: ApprovalStore,
  { id, expiresAt }: Pick<AskedApproval, "id" | "expiresAt">,
  clock: Clock,
  signals: readonly CallerSignal[],
): ReturnType<typeof findApproval> {
  let isWoken = false;
  let wake = (): void => {};
  // Before the store is read: an answer must not come in between.
  const stop = await store.watch?.(id, () => {
    isWoken = true;
    wake();
  });
  try {
    for (;;) {
      isWoken = false;
      const standing = await findApproval(store, id, clock.now());
      if (standing.found !== "pending" || signals.some(({ aborted }) => aborted)) return standing;
      if (isWoken) continue;
      await new Promise<void>((resolve) => {
        const most = stop === undefined ? pollMs : watchedPollMs;
        const left = Math.max(1, Math.min(most, expiresAt - clock.now()));
        const over = (): void => {
          clock.clearTimeout(timer as never);
          for (const signal of signals) signal.removeEventListener("abort", over);
          resolve();
        };
        const timer = clock.setTimeout(over, left);
        for (const signal of signals) signal.addEventListener("abort", over, { once: true });
        wake = over;
      });
    }
  } finally {
    stop?.();
  }
}
