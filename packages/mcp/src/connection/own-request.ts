import { ownValue } from "@toolstile/core/provider";
import { cancellation, envelopeOf, type JsonRpcMessage } from "../message/json-rpc.js";
import type { Occasion } from "../tools/occasion.js";
import type { OpenRequests } from "./open-requests.js";
import type { Timers } from "./timers.js";

interface OwnRequestSettings {
  readonly requests: OpenRequests;
  readonly toServer: (message: JsonRpcMessage, extra: unknown, over?: AbortSignal) => void;
  readonly clock: Timers;
  readonly timeoutMs: number;
}

/**
 * Ask the server something that the client never hears of, on the occasion of a request of the client's.
 *
 * @returns the result.
 * @throws where the server answers with an error, or not in time.
 */
export async function askServer(
  method: string,
  params: object,
  { params: asked, extra }: Occasion,
  { requests, toServer, clock, timeoutMs }: OwnRequestSettings,
): Promise<unknown> {
  const over = new AbortController();
  const { promise, resolve, reject } = settleable();
  const id = requests.addOwn((id) => {
    const settle = (act: () => void): void => {
      requests.remove(id);
      act();
    };
    const failed = (error: unknown): void =>
      settle(() => reject(error instanceof Error ? error : new Error(String(error))));
    return {
      extra,
      isAwaited: true,
      answered(message) {
        const error = ownValue(message, "error");
        if (error !== undefined) failed(new Error(String(ownValue(error, "message"))));
        else settle(() => resolve(ownValue(message, "result")));
      },
      cancelled() {
        failed(new Error("Connection closed."));
        return false;
      },
      failed,
    };
  });
  const timer = clock.setTimeout(() => {
    const reason = `No answer to ${method} within ${timeoutMs} ms.`;
    requests.get(id)?.failed(new Error(reason));
    try {
      toServer(cancellation(id, reason), extra);
    } catch {
      // The server goes on with work that has no reader.
    }
  }, timeoutMs);
  const envelope = envelopeOf(asked);
  const meta = envelope === undefined ? {} : { _meta: envelope };
  try {
    toServer({ jsonrpc: "2.0", id, method, params: { ...params, ...meta } }, extra, over.signal);
    return await promise;
  } finally {
    requests.remove(id);
    clock.clearTimeout(timer as never);
    over.abort();
  }
}

/** `Promise.withResolvers`, which Node 20 lacks. */
function settleable() {
  let resolve: (value: unknown) => void = () => {};
  let reject: (error: Error) => void = () => {};
  const promise = new Promise<unknown>((...settlers) => {
    [resolve, reject] = settlers;
  });
  return { promise, resolve, reject };
}
