import { setImmediate } from "node:timers/promises";
import type { Clock } from "@toolstile/core";
import { HookError } from "./hook-error.js";

/** The limits on the body of a hook. */
export interface BodyLimits {
  /** Bytes. */
  readonly maxBodyBytes: number;
  /** Milliseconds for the whole body. */
  readonly bodyWithinMs: number;
  readonly clock: Clock;
}

/**
 * Reads the body of a request as UTF-8.
 *
 * @throws HookError for one that is too long, too slow, cut off or not UTF-8, and where the caller gives up.
 */
export async function readText(request: Request, limits: BodyLimits): Promise<string> {
  const { maxBodyBytes, bodyWithinMs, clock } = limits;
  const { body, signal } = request;
  if (Number(request.headers.get("content-length")) > maxBodyBytes) throw tooLarge(maxBodyBytes);
  if (body === null) return "";
  const reader: ReadableStreamDefaultReader<unknown> = body.getReader();
  let stopped: HookError | undefined;
  // A read that is waited for ends with the stream.
  const stop = (why: HookError): void => {
    stopped ??= why;
    reader.cancel().catch(() => {});
  };
  const gaveUp = (): void => stop(abandoned());
  const why = `The body must be whole within ${bodyWithinMs} ms.`;
  const tooSlow = (): void => stop(new HookError(408, "body_too_slow", why));
  const timer = clock.setTimeout(tooSlow, bodyWithinMs);
  signal.addEventListener("abort", gaveUp, { once: true });
  if (signal.aborted) gaveUp();
  const pieces: Uint8Array[] = [];
  try {
    for (let length = 0; ; ) {
      const { done, value } = await reader.read();
      if (done || stopped !== undefined) break;
      if (!(value instanceof Uint8Array)) {
        stop(unreadable());
        continue;
      }
      // Empty pieces that are there at once would keep the time limit and all others waiting.
      if (value.length === 0) await setImmediate();
      length += value.length;
      if (length > maxBodyBytes) stop(tooLarge(maxBodyBytes));
      else pieces.push(value);
    }
  } catch {
    stop(unreadable());
  } finally {
    clock.clearTimeout(timer as never);
    signal.removeEventListener("abort", gaveUp);
  }
  if (stopped !== undefined) throw stopped;
  return decoded(pieces);
}

function decoded(pieces: readonly Uint8Array[]): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(Buffer.concat(pieces));
  } catch {
    throw new HookError(400, "invalid_json", "The body must be JSON in UTF-8.");
  }
}

function unreadable(): HookError {
  return new HookError(400, "unreadable_body", "The body could not be read to its end.");
}

function tooLarge(most: number): HookError {
  return new HookError(413, "body_too_large", `The body must have at most ${most} bytes.`);
}

/** The end of a request whose caller no longer waits. */
export function abandoned(): HookError {
  return new HookError(503, "abandoned", "The caller gave up before there was a decision.");
}
