import {
  boolean,
  invalidOption,
  list,
  type OptionTable,
  object,
  readOptions,
  required,
  such,
  text,
  whole,
} from "@toolstile/core/provider";
import { type ProxyOptions, proxyTable, sessionSettings } from "../options.js";
import { nameOfUrl } from "../server-name.js";
import { boundAddress } from "./access.js";
import { BodyRoom } from "./body-room.js";
import { type HttpProxy, listen } from "./endpoint.js";
import { Upstream } from "./upstream.js";

export interface HttpProxyOptions extends ProxyOptions {
  /** The MCP server's address, without a credential. */
  readonly upstream: string | URL;
  /** Headers that the server gets with each request. They hold the only credential that it gets. */
  readonly upstreamHeaders?: Readonly<Record<string, string>> | undefined;
  /** The address to listen on, of this machine. Default 127.0.0.1. */
  readonly host?: string | undefined;
  /** The port to listen on. Default any that is free. */
  readonly port?: number | undefined;
  /** Listens for other machines, too. Every client that reaches the port then acts with the server's credential. */
  readonly allowRemote?: boolean | undefined;
  /** Host names with ports, besides its own, that clients may use for the proxy. */
  readonly allowedHosts?: readonly string[] | undefined;
  /** Origins of web pages that may call the proxy. Default none. */
  readonly allowedOrigins?: readonly string[] | undefined;
  /**
   * The most bytes of messages that are being read at once, of all clients and of the server. Clients may
   * take half of them. At least twice `maxMessageBytes`. Default 256 MiB, or that.
   */
  readonly maxBufferedBytes?: number | undefined;
  /** The most sessions at once. Default 1,000. */
  readonly maxSessions?: number | undefined;
  /** Milliseconds after which an unused session may be closed, when there is another. Default 30 minutes. */
  readonly sessionIdleMs?: number | undefined;
}

const httpTable = {
  ...proxyTable,
  upstream: required(such<string | URL>(isAddress, "an http: or https: address")),
  upstreamHeaders: object<Readonly<Record<string, string>>>().default({}),
  host: text().default("127.0.0.1"),
  port: whole(0, 65_535).default(0),
  allowRemote: boolean().default(false),
  // A string in place of a list would allow each of its characters.
  allowedHosts: list(text(), "an array of strings").default([]),
  allowedOrigins: list(text(), "an array of strings").default([]),
  maxBufferedBytes: whole(1),
  maxSessions: whole(1).default(1_000),
  sessionIdleMs: whole(1).default(1_800_000),
} satisfies OptionTable<HttpProxyOptions>;

function isAddress(value: unknown): boolean {
  return /^https?:$/.test(new URL(String(value)).protocol);
}

/**
 * Listen for MCP clients over streamable HTTP, with guards between them and the server.
 *
 * No credential of a client's is passed on, and no redirect followed.
 *
 * @throws ToolstileError for options that are not valid.
 */
export async function startHttpProxy(options: HttpProxyOptions): Promise<HttpProxy> {
  const given = readOptions("startHttpProxy()", options, httpTable);
  const { upstream, upstreamHeaders, maxSessions, sessionIdleMs, maxBufferedBytes, ...others } =
    given;
  const { host, port, allowRemote, allowedHosts, allowedOrigins, ...proxied } = others;
  const url = new URL(upstream);
  const access = { host, port, allowRemote, allowedHosts, allowedOrigins };
  boundAddress(access);
  const settings = sessionSettings(proxied, nameOfUrl(url));
  return listen({
    ...settings,
    upstream: new Upstream(url, upstreamHeaders, settings.report),
    room: new BodyRoom(bufferedBytes(maxBufferedBytes, given.maxMessageBytes)),
    access,
    maxSessions,
    sessionIdleMs,
  });
}

const usualBufferedBytes = 256 * 1_024 * 1_024;

/** @throws ToolstileError `ERR_INVALID_OPTION` for so few bytes that the longest message could never be read. */
function bufferedBytes(given: number | undefined, maxMessageBytes: number): number {
  const least = 2 * maxMessageBytes;
  if (given === undefined) return Math.max(usualBufferedBytes, least);
  if (given >= least) return given;
  throw invalidOption(
    "startHttpProxy()",
    `'maxBufferedBytes' must be at least twice 'maxMessageBytes', which is ${least}, received ${given}.`,
  );
}
