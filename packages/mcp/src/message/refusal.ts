import { errorMessage, type JsonRpcId, type JsonRpcMessage } from "./json-rpc.js";

/** A message that is not passed on, as far as it could be read. */
export interface Refusal {
  readonly code: number;
  /** The reason, which quotes nothing of the message. */
  readonly reason: string;
  /** The ids of requests in it, which wait for an answer. */
  readonly requestIds: readonly JsonRpcId[];
  /** The ids that it answers. */
  readonly answeredIds: readonly JsonRpcId[];
}

/** MCP's code for headers that say something else than the body. */
export const headerMismatch = -32_020;

/** The code of JSON-RPC for an error of the server's that the request did not cause. */
export const serverError = -32_000;

/**
 * The errors for a refused message: `back` to its sender, `on` to the side that waits for it.
 *
 * A request is answered; an answer that cannot be passed on becomes an error,
 * so that its reader does not wait for ever. If it is neither, the sender gets
 * an error without an id.
 */
export function errorsFor({ code, reason, requestIds, answeredIds }: Refusal): {
  readonly back: readonly JsonRpcMessage[];
  readonly on: readonly JsonRpcMessage[];
} {
  const error = (id: JsonRpcId | null): JsonRpcMessage =>
    errorMessage(id, code, `The message is refused: ${reason}.`);
  const isUnknown = requestIds.length === 0 && answeredIds.length === 0;
  return { back: isUnknown ? [error(null)] : requestIds.map(error), on: answeredIds.map(error) };
}
