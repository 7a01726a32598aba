import type { OutgoingHttpHeaders } from "node:http";
import type { GuardedConnection } from "../../connection/guarded-connection.js";
import type { JsonRpcMessage } from "../../message/json-rpc.js";
import { NoRoomError } from "./body-room.js";
import { withoutArguments } from "./headers.js";
import { type AnswerSink, type ReadBounds, readAnswer } from "./read-answer.js";
import type { Upstream } from "./upstream.js";
import { isSuccess } from "./upstream-status.js";

export interface OwnMessageOptions extends ReadBounds {
  readonly connection: GuardedConnection;
  readonly upstream: Upstream;
  readonly sink: AnswerSink;
}

/**
 * Send the upstream a message of the connection's own. It never rejects.
 *
 * @param clientHeaders the headers of the client's message that caused it.
 * @param over of a request: aborted once its answer is not waited for any more.
 */
export async function sendOwn(
  message: JsonRpcMessage,
  clientHeaders: OutgoingHttpHeaders,
  over: AbortSignal | undefined,
  { connection, upstream, sink, ...bounds }: OwnMessageOptions,
): Promise<void> {
  if (over === undefined) return tellOwn(message, clientHeaders, upstream);
  const headers = headersOf(clientHeaders, message.method);
  const body = JSON.stringify(message);
  let why = "The MCP server gave no answer.";
  try {
    // Its stream could go on without end.
    const response = await upstream.send("POST", headers, over, body);
    if (isSuccess(response)) await readAnswer(response, bounds, sink);
    else {
      why = upstream.failedAs(response).reason;
      upstream.discard(response);
    }
  } catch (error) {
    // The request fails below, if it still waits.
    if (error instanceof NoRoomError) why = error.message;
  }
  connection.failed(message.id, new Error(why));
}

/** Tell the upstream something that it does not answer. It never rejects: nothing here waits for it. */
export async function tellOwn(
  message: JsonRpcMessage,
  clientHeaders: OutgoingHttpHeaders,
  upstream: Upstream,
): Promise<void> {
  const headers = headersOf(clientHeaders, message.method);
  try {
    await upstream.tell(headers, new AbortController(), JSON.stringify(message));
  } catch {
    // The upstream has gone, or does not take it.
  }
}

/** The client's headers, without those that describe its own message. */
function headersOf(headers: OutgoingHttpHeaders, method: string | undefined): OutgoingHttpHeaders {
  const { "mcp-name": _, "mcp-method": named, ...rest } = withoutArguments(headers);
  return {
    ...rest,
    accept: "application/json, text/event-stream",
    ...(named !== undefined && method !== undefined && { "mcp-method": method }),
  };
}
