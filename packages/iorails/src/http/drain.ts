import type { Clock } from "@toolstile/core";

export type Reader = ReadableStreamDefaultReader<Uint8Array>;

const drainedBytes = 65_536;
const drainedMs = 1_000;

/** Read what little is left, so that the connection can serve again; close it where it is more. */
export async function drain(reader: Reader, clock: Clock): Promise<void> {
  const cancel = (): void => {
    reader.cancel().catch(() => {});
  };
  const timer = clock.setTimeout(cancel, drainedMs);
  try {
    for (let bytes = 0; bytes <= drainedBytes; ) {
      const { done, value } = await reader.read();
      if (done) return;
      bytes += value.byteLength;
    }
    cancel();
  } catch {
    // The connection is gone, and is not needed.
  } finally {
    clock.clearTimeout(timer as never);
  }
}
