import type { IncomingHttpHeaders, OutgoingHttpHeaders } from "node:http";
import type { JsonRpcMessage } from "../connection/json-rpc.js";

/**
 * What of a client's headers the upstream gets; nothing else is passed on.
 *
 * A list of what may pass, and not of what may not: a credential can be in a
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

export function headersForUpstream(inbound: IncomingHttpHeaders): OutgoingHttpHeaders {
  const headers: OutgoingHttpHeaders = { "accept-encoding": "identity" };
  for (const name of passedOn) if (inbound[name] !== undefined) headers[name] = inbound[name];
  for (const [name, value] of Object.entries(inbound)) {
    if (argumentHeader.test(name)) headers[name] = value;
  }
  return headers;
}

/** Headers without those that repeat a call's arguments, for what is no call. */
export function withoutArguments(headers: OutgoingHttpHeaders): OutgoingHttpHeaders {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !argumentHeader.test(name)));
}

/** What of the upstream's headers the client gets, besides the type of the body. */
export function headersForClient(answered: IncomingHttpHeaders): OutgoingHttpHeaders {
  const headers: OutgoingHttpHeaders = { "cache-control": "no-store" };
  for (const name of ["mcp-session-id", "mcp-protocol-version", "retry-after", "allow"]) {
    if (answered[name] !== undefined) headers[name] = answered[name];
  }
  return headers;
}

/**
 * Whether headers name another method or tool than the body.
 *
 * Whatever routes by headers would see another call than the one that is judged.
 */
export function contradicts(headers: IncomingHttpHeaders, message: JsonRpcMessage): boolean {
  const method = headers["mcp-method"];
  if (method !== undefined && method !== message.method) return true;
  const name = headers["mcp-name"];
  if (message.method !== "tools/call" || name === undefined) return false;
  const { params } = message as { readonly params: { readonly name?: unknown } };
  return decoded(String(name)) !== params.name;
}

/** Names that a header cannot hold come as base64 of their UTF-8. */
function decoded(value: string): string {
  const [, base64] = /^=\?base64\?([A-Za-z0-9+/=]*)\?=$/.exec(value) ?? [];
  return base64 === undefined ? value : Buffer.from(base64, "base64").toString("utf8");
}
