import { checkOptions, ToolstileError } from "@toolstile/core";
import { boundAddress } from "./access.js";
import {
  checkedCount,
  defaultMessageBytes,
  guardedBy,
  type ProxyOptions,
  proxyOptions,
} from "./guard.js";
import { type HttpProxy, startHttp } from "./http-proxy.js";
import { quietly } from "./refusals.js";
import { nameOfUrl } from "./server-name.js";
import { Upstream } from "./upstream.js";

export type { HttpProxy } from "./http-proxy.js";

export interface HttpProxyOptions extends ProxyOptions {
  /** The MCP server's address, without a credential. */
  readonly upstream: string | URL;
  /** Sent to the server with each request, and the only credential that is. */
  readonly upstreamHeaders?: Readonly<Record<string, string>> | undefined;
  /** Where to listen: an address of this machine. Default 127.0.0.1. */
  readonly host?: string | undefined;
  /** Default any that is free. */
  readonly port?: number | undefined;
  /** Listen for other machines, too. Whoever reaches the port then acts with the server's credential. */
  readonly allowRemote?: boolean | undefined;
  /** Names with ports that clients may call the proxy by, besides its own. */
  readonly allowedHosts?: readonly string[] | undefined;
  /** Origins of web pages that may call it. Default none. */
  readonly allowedOrigins?: readonly string[] | undefined;
  /** Sessions that are known at once. Default 1,000. */
  readonly maxSessions?: number | undefined;
  /** Milliseconds after which an unused session is let go, when there is another. Default 30 minutes. */
  readonly sessionIdleMs?: number | undefined;
}

const known = [
  ...proxyOptions,
  "upstream",
  "upstreamHeaders",
  "host",
  "port",
  "allowRemote",
  "allowedHosts",
  "allowedOrigins",
  "maxSessions",
  "sessionIdleMs",
];

/**
 * Listen for MCP clients over streamable HTTP, with guards between them and the server.
 *
 * No credential of a client's is passed on, and no redirect followed.
 *
 * @throws ToolstileError for options that do not hold.
 */
export async function startHttpProxy(options: HttpProxyOptions): Promise<HttpProxy> {
  checkOptions("startHttpProxy()", options, known);
  const url = readUrl(options.upstream);
  const access = {
    host: options.host ?? "127.0.0.1",
    port: options.port ?? 0,
    allowRemote: options.allowRemote === true,
    allowedHosts: texts("allowedHosts", options.allowedHosts),
    allowedOrigins: texts("allowedOrigins", options.allowedOrigins),
  };
  boundAddress(access);
  const upstream = new Upstream(url, options.upstreamHeaders ?? {});
  const count = (name: "maxMessageBytes" | "maxSessions" | "sessionIdleMs", or: number): number =>
    checkedCount(name, options[name] ?? or);
  return startHttp({
    upstream,
    access,
    maxMessageBytes: count("maxMessageBytes", defaultMessageBytes),
    maxSessions: count("maxSessions", 1_000),
    sessionIdleMs: count("sessionIdleMs", 1_800_000),
    onRefused: quietly(options.onRefused),
    connect: guardedBy(options, options.serverName ?? nameOfUrl(url)),
  });
}

/** Of one text, each part of it would be on the list. @throws ToolstileError `ERR_INVALID_OPTION` */
function texts(name: string, given: readonly string[] = []): readonly string[] {
  if (Array.isArray(given) && given.every((each) => typeof each === "string")) return [...given];
  throw new ToolstileError("ERR_INVALID_OPTION", `${name} is a list of texts.`);
}

function readUrl(upstream: string | URL): URL {
  if (URL.canParse(String(upstream))) return new URL(upstream);
  throw new ToolstileError("ERR_INVALID_OPTION", "The upstream is an http: or https: address.");
}
