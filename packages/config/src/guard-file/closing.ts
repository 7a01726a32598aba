import type { Approver, Clock, Guardrail, ToolObserver } from "@toolstile/core";
import { member, quoted, systemClock, valueWithin } from "@toolstile/core/provider";

type Owned = readonly (Guardrail | ToolObserver | Approver)[];

/** Close all, also when one throws. @throws the first error. */
export async function closeAll(owned: Owned, clock: Clock = systemClock): Promise<void> {
  const [failed] = await closed(owned, clock);
  if (failed !== undefined) throw failed.reason;
}

/** Close what was made in vain. Why that is so is what counts, and not how the closing went. */
export async function closeQuietly(owned: Owned): Promise<void> {
  await closed(owned, systemClock);
}

/** A guard that never closes must not keep the reloads after it waiting. */
const closeWithinMs = 10_000;

async function closed(owned: Owned, clock: Clock): Promise<readonly PromiseRejectedResult[]> {
  const closing = owned.map(async (each) => {
    const close = member(each, "close");
    if (typeof close !== "function") return;
    const bounds = { clock, timeoutMs: closeWithinMs, caller: undefined };
    await valueWithin(bounds, close.call(each), () => {
      throw new Error(`${quoted(each.name)} has not closed within ${closeWithinMs / 1_000} s`);
    });
  });
  return (await Promise.allSettled(closing)).filter((result) => result.status === "rejected");
}
