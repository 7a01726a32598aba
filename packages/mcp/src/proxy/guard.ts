import { ToolstileError } from "@toolstile/core";
import {
  connectionOptions,
  type GuardedConnectionOptions,
} from "../connection/connection-options.js";
import { GuardedConnection } from "../connection/guarded-connection.js";
import type { Connect, OnRefused } from "./link.js";

/** What both proxies take, besides where they are. */
export interface ProxyOptions extends GuardedConnectionOptions {
  /** The bytes that one message may have, of either side. Default 16 MiB. */
  readonly maxMessageBytes?: number | undefined;
  /** Told of each message that was not passed on because it could not be read, or only in more ways than one. */
  readonly onRefused?: OnRefused | undefined;
}

export const proxyOptions: readonly string[] = [
  ...connectionOptions,
  "maxMessageBytes",
  "onRefused",
];

/** A connection for each session, under these options and this name. Options that do not hold are found now. */
export function guardedBy(options: ProxyOptions, serverName: string): Connect {
  const { maxMessageBytes: _, onRefused: __, ...given } = only(options, proxyOptions);
  // Without a host's word, guards still know one session from another.
  const connect: Connect = (ports, sessionId) =>
    new GuardedConnection({ ...given, serverName }, ports, sessionId);
  void connect({ toClient: () => {}, toServer: () => {} }, "check").close();
  return connect;
}

/** These options of several, own ones only. */
function only(options: ProxyOptions, names: readonly string[]): ProxyOptions {
  const given = Object.entries(options).filter(([name]) => names.includes(name));
  return Object.fromEntries(given) as unknown as ProxyOptions;
}

export const defaultMessageBytes = 16 * 1_024 * 1_024;

/** @throws ToolstileError `ERR_INVALID_OPTION` for what is no whole number from 1 on. */
export function checkedCount(name: string, value: number): number {
  if (Number.isSafeInteger(value) && value > 0) return value;
  throw new ToolstileError("ERR_INVALID_OPTION", `${name} is a whole number from 1 on.`);
}
