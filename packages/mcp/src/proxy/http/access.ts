import type { IncomingMessage } from "node:http";
import { isIP } from "node:net";
import { ToolstileError } from "@toolstile/core";

/** The address of a proxy, and the clients that may use it. */
export interface Access {
  readonly host: string;
  readonly port: number;
  /** Serves other machines, too: every client that reaches the port then uses the upstream's credential. */
  readonly allowRemote: boolean;
  /** Host names besides its own that clients may use for it: `proxy.example:8123`. */
  readonly allowedHosts: readonly string[];
  /** Origins of web pages that may call it: `https://app.example`. */
  readonly allowedOrigins: readonly string[];
}

/**
 * The address to bind to.
 *
 * @throws ToolstileError `ERR_INVALID_OPTION` for an address that other machines reach, unless that is allowed.
 */
export function boundAddress({ host, allowRemote }: Access): string {
  if (host === "localhost") return "127.0.0.1";
  const address = host.replace(/^\[(.*)\]$/, "$1");
  if (allowRemote || isLoopback(address)) return address;
  throw new ToolstileError(
    "ERR_INVALID_OPTION",
    "host must be 127.0.0.1, ::1 or localhost: the proxy listens on this machine only. To serve other machines, set allowRemote, or --allow-remote.",
  );
}

/** The status of a request that is not served; `undefined` for one that is. */
export function refusedAccess(
  { headers, headersDistinct, url }: IncomingMessage,
  access: Access,
  port: number,
): number | undefined {
  // Of two, Node shows the first, and somebody before it may have read the other.
  if ((headersDistinct["host"]?.length ?? 0) > 1) return 400;
  // A page whose host name was made to point here sends that name.
  const host = (headers.host ?? "").toLowerCase();
  const own = ownHosts(access, port);
  if (!own.has(host) && !access.allowedHosts.some((each) => each.toLowerCase() === host))
    return 421;
  const { origin } = headers;
  // Its own origin is that of a page at the very address that it asks: no other program serves pages there.
  const isOwn = own.has(host) && origin === `http://${host}`;
  if (origin !== undefined && !isOwn && !access.allowedOrigins.includes(origin)) return 403;
  // A page's image or form sends no origin, but browsers say that another site asks.
  const site = headers["sec-fetch-site"];
  if (origin === undefined && site !== undefined && !ownSites.has(site)) return 403;
  return url?.split("?", 1)[0] === path ? undefined : 404;
}

const ownSites: ReadonlySet<unknown> = new Set(["same-origin", "none"]);

/** The one path that is served. */
export const path = "/mcp";

function ownHosts({ host }: Access, port: number): ReadonlySet<string> {
  const own = [hostInUrl(host)];
  if (isLoopback(host) || host === "localhost") own.push("localhost", "127.0.0.1", "[::1]");
  const withPorts = own.flatMap((each) =>
    // Clients leave the usual port out.
    port === usualPort ? [each, `${each}:${port}`] : [`${each}:${port}`],
  );
  return new Set(withPorts.map((each) => each.toLowerCase()));
}

const usualPort = 80;

/** A host as a URL has it: IPv6 in brackets. */
export function hostInUrl(host: string): string {
  return isIP(host) === 6 ? `[${host}]` : host;
}

function isLoopback(host: string): boolean {
  const address = host.replace(/^\[(.*)\]$/, "$1");
  return isIP(address) === 4 ? address.startsWith("127.") : address === "::1";
}
