import { tellOfFault } from "@toolstile/core";
import { errorMessage, type JsonRpcId, type JsonRpcMessage } from "../connection/json-rpc.js";
import type { OnRefused } from "./link.js";

/** Why a message is not passed on, and what is known of it. */
export interface Refused {
  readonly code: number;
  /** In words that quote nothing of it. */
  readonly reason: string;
  /** The ids of requests in it that wait for an answer. */
  readonly requestIds?: readonly JsonRpcId[];
  /** The ids that it answers. */
  readonly answeredIds?: readonly JsonRpcId[];
}

/**
 * What is said of a message that was refused: to whoever sent it, and to whoever waits for it.
 *
 * A request is answered; an answer that cannot be passed on becomes an error,
 * lest its reader wait for it. Where neither can be told, the error has no id.
 */
export function errorsFor({ code, reason, requestIds = [], answeredIds = [] }: Refused): {
  readonly back: readonly JsonRpcMessage[];
  readonly on: readonly JsonRpcMessage[];
} {
  const error = (id: JsonRpcId | null): JsonRpcMessage =>
    errorMessage(id, code, `The message is refused: ${reason}.`);
  const isNobodys = requestIds.length === 0 && answeredIds.length === 0;
  return { back: isNobodys ? [error(null)] : requestIds.map(error), on: answeredIds.map(error) };
}

/** Tells operators of what is refused; nothing that they throw, or that rejects, changes what becomes of it. */
export function quietly(onRefused: OnRefused | undefined): OnRefused {
  return (from, reason) => {
    const fault = { source: "mcp", phase: "refused", error: reason };
    tellOfFault(() => onRefused?.(from, reason), fault);
  };
}
