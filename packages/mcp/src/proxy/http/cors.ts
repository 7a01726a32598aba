import type { IncomingMessage, OutgoingHttpHeaders } from "node:http";
import { isPassedOn, namesForClient } from "./headers.js";

/** The headers by which a browser lets a page of an allowed origin read an answer. Other pages, and other clients, get none. */
export function corsHeaders(
  { headers: { origin } }: IncomingMessage,
  allowedOrigins: readonly string[],
): OutgoingHttpHeaders {
  // Caches, too, must not give an answer that one origin may read to another.
  if (allowedOrigins.length === 0) return {};
  if (origin === undefined || !allowedOrigins.includes(origin)) return { vary: "Origin" };
  return {
    vary: "Origin",
    "access-control-allow-origin": origin,
    "access-control-expose-headers": namesForClient.join(", "),
  };
}

export const methods = "POST, GET, DELETE";

/** The answer to a browser's question before a page's request. Of headers, those are allowed that are used. */
export function preflight({ headers }: IncomingMessage): OutgoingHttpHeaders {
  const asked = String(headers["access-control-request-headers"] ?? "").split(",");
  const allowed = asked.map((name) => name.trim().toLowerCase()).filter(isAllowed);
  return {
    "access-control-allow-methods": methods,
    "access-control-allow-headers": allowed.join(", "),
    "access-control-max-age": "600",
    // A page of the internet may call this machine only where both sides say so.
    ...(headers["access-control-request-private-network"] === "true" && {
      "access-control-allow-private-network": "true",
    }),
  };
}

function isAllowed(name: string): boolean {
  return name === "content-type" || isPassedOn(name);
}
