/**
 * Wait for something that never rejects, or for the caller's abort, whichever comes first.
 *
 * A value that is not a signal is ignored here: the next step refuses the call.
 */
export async function untilAborted(
  work: Promise<void>,
  signalOf: () => AbortSignal | undefined,
): Promise<void> {
  const heard = new AbortController();
  try {
    const signal = signalOf();
    if (signal?.aborted === true) return;
    const aborted = new Promise<void>((resolve) => {
      signal?.addEventListener("abort", () => resolve(), { signal: heard.signal });
    });
    await Promise.race([work, aborted]);
  } catch {
    await work;
  } finally {
    heard.abort();
  }
}
