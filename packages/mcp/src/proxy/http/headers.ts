import type { IncomingHttpHeaders, OutgoingHttpHeaders } from "node:http";
import type { JsonRpcMessage } from "../../message/json-rpc.js";
import { decoded } from "../../message/param-headers.js";

/**
 * The headers of a client's that the upstream gets. No other is passed on.
 *
 * The list names what may pass, and not what may not: a credential can be in a
 * header of any name.
 */
const passedOn = [
  "accept",
  "last-event-id",
  "mcp-method",
  "mcp-name",
  "mcp-protocol-version",
  "mcp-session-id",
  "traceparent",
  "tracestate",
] as const;
const argumentHeader = /^mcp-param-[!#$%&'*+.^_`|~0-9a-z-]+$/;

/** True for the name, in lower case, of a header that repeats an argument. */
export const isArgumentHeader = (name: string): boolean => argumentHeader.test(name);

/** True for a header of a client's, in lower case, that the upstream gets. */
export function isPassedOn(name: string): boolean {
  return passedOn.some((each) => each === name) || isArgumentHeader(name);
}

export function headersForUpstream(inbound: IncomingHttpHeaders): OutgoingHttpHeaders {
  const headers: OutgoingHttpHeaders = { "accept-encoding": "identity" };
  for (const [name, value] of Object.entries(inbound)) if (isPassedOn(name)) headers[name] = value;
  return headers;
}

/** Headers without those that repeat a call's arguments, for a message that is not a call. */
export function withoutArguments(headers: OutgoingHttpHeaders): OutgoingHttpHeaders {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !isArgumentHeader(name)));
}

/** The headers of the upstream's that the client gets, besides the type of the body. */
export const namesForClient = ["mcp-session-id", "mcp-protocol-version", "retry-after", "allow"];

export function headersForClient(answered: IncomingHttpHeaders): OutgoingHttpHeaders {
  const headers: OutgoingHttpHeaders = { "cache-control": "no-store" };
  for (const name of namesForClient) {
    if (answered[name] !== undefined) headers[name] = answered[name];
  }
  return headers;
}

/**
 * True for headers that name another method or tool than the body.
 *
 * A router that reads headers would see another call than the one that is judged.
 */
export function contradicts(headers: IncomingHttpHeaders, message: JsonRpcMessage): boolean {
  const method = headers["mcp-method"];
  if (method !== undefined && method !== message.method) return true;
  const name = headers["mcp-name"];
  if (message.method !== "tools/call" || name === undefined) return false;
  const { params } = message as { readonly params: { readonly name?: unknown } };
  return decoded(String(name)) !== params.name;
}
