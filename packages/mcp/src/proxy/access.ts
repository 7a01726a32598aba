import type { IncomingMessage } from "node:http";
import { isIP } from "node:net";
import { ToolstileError } from "@toolstile/core";

/** Where a proxy listens, and who may talk to it. */
export interface Access {
  readonly host: string;
  readonly port: number;
  /** Serve other machines, too: whoever reaches the port then uses the upstream's credential. */
  readonly allowRemote: boolean;
  /** Hosts that clients may call it by, besides its own: `proxy.example:8123`. */
  readonly allowedHosts: readonly string[];
  /** Origins of web pages that may call it: `https://app.example`. */
  readonly allowedOrigins: readonly string[];
}

/**
 * The address to bind to.
 *
 * @throws ToolstileError `ERR_INVALID_OPTION` for one that is not this machine's own, unless that is allowed.
 */
export function boundAddress({ host, allowRemote }: Access): string {
  if (host === "localhost") return "127.0.0.1";
  const address = host.replace(/^\[(.*)\]$/, "$1");
  if (allowRemote || isLoopback(address)) return address;
  throw new ToolstileError(
    "ERR_INVALID_OPTION",
    "The proxy listens on this machine only: 127.0.0.1, ::1 or localhost. To serve other machines, say so: allowRemote, or --allow-remote.",
  );
}

/** Why a request is not served, as a status; nothing where it is. */
export function refusedAccess(
  { headers, url }: IncomingMessage,
  access: Access,
  port: number,
): number | undefined {
  // A page whose name was made to point here says the page's name.
  if (!hostsOf(access, port).has((headers.host ?? "").toLowerCase())) return 421;
  const { origin } = headers;
  if (origin !== undefined && !access.allowedOrigins.includes(origin)) return 403;
  // A page's image or form says no origin, but browsers say that another site asks.
  if (origin === undefined && otherSites.has(headers["sec-fetch-site"])) return 403;
  return url?.split("?", 1)[0] === path ? undefined : 404;
}

const otherSites: ReadonlySet<unknown> = new Set(["cross-site", "same-site"]);

/** The one path that is served. */
export const path = "/mcp";

function hostsOf({ host, allowedHosts }: Access, port: number): ReadonlySet<string> {
  const own = [hostInUrl(host)];
  if (isLoopback(host) || host === "localhost") own.push("localhost", "127.0.0.1", "[::1]");
  const withPorts = own.flatMap((each) =>
    // Clients leave the usual port out.
    port === usualPort ? [each, `${each}:${port}`] : [`${each}:${port}`],
  );
  return new Set([...withPorts, ...allowedHosts].map((each) => each.toLowerCase()));
}

const usualPort = 80;

/** A host as it stands in an address: IPv6 in brackets. */
export function hostInUrl(host: string): string {
  return isIP(host) === 6 ? `[${host}]` : host;
}

function isLoopback(host: string): boolean {
  const address = host.replace(/^\[(.*)\]$/, "$1");
  return isIP(address) === 4 ? address.startsWith("127.") : address === "::1";
}
