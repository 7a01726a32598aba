import type { ToolstileError } from "@toolstile/core";
import { forManyRunners, reportFault } from "@toolstile/core/host";
import { func, type OptionsOf, type OptionTable, whole } from "@toolstile/core/provider";
import {
  connectionTable,
  type GuardedConnectionOptions,
} from "../connection/connection-options.js";
import type { Exchange } from "../connection/exchange.js";
import { type ConnectionPorts, GuardedConnection } from "../connection/guarded-connection.js";

/** Called for a message that was not passed on, for operators. The reason quotes nothing of the message. */
export type OnRefused = (from: "client" | "server", reason: string) => void;

/** The options of both proxies, besides where they are. */
export interface ProxyOptions extends GuardedConnectionOptions {
  /** The most bytes that one message may have, of either side. Default 16 MiB. */
  readonly maxMessageBytes?: number | undefined;
  /** Called for each message that was not passed on: it could not be read, or could be read in several ways. */
  readonly onRefused?: OnRefused | undefined;
}

export const proxyTable = {
  ...connectionTable,
  maxMessageBytes: whole(1).default(16 * 1_024 * 1_024),
  onRefused: func<OnRefused>(),
} satisfies OptionTable<ProxyOptions>;

/** A message of the client's in a proxy, with the facts that `describe` is given as `extra`. */
export interface DescribedExchange extends Exchange {
  readonly facts: unknown;
}

/** Makes the connection of one session. The session's name is for guards and records; it must not be used as a credential. */
export type Connect = (ports: ConnectionPorts, sessionId: string) => GuardedConnection;

/** The settings that both proxies pass on to their sessions. */
export interface SessionSettings {
  readonly connect: Connect;
  readonly maxMessageBytes: number;
  readonly onRefused: OnRefused;
  /** Tells operators of a fault that no message shows. */
  readonly report: (phase: string, error: ToolstileError) => void;
}

/** The settings that follow from the options of both proxies. @throws ToolstileError as `GuardedConnection` does. */
export function sessionSettings(
  { maxMessageBytes, onRefused, ...given }: OptionsOf<typeof proxyTable>,
  defaultName: string,
): SessionSettings {
  const guardrails = forManyRunners(given.guardrails);
  const guarding = { ...given, guardrails, serverName: given.serverName ?? defaultName };
  const connect: Connect = (ports, sessionId) =>
    new GuardedConnection(guarding, ports, {
      sessionId,
      extraOf: (extra) => (extra as DescribedExchange).facts,
      // Each was made here, from the bytes that came.
      ownsMessages: true,
    });
  // Options that are not valid are found now, and not at the first session.
  void connect({ toClient: () => {}, toServer: () => {} }, "check").close();
  return {
    connect,
    maxMessageBytes,
    onRefused: reporting(onRefused),
    report: (phase, error) => reportFault(given.onFault, { source: "mcp", phase, error }),
  };
}

/** Calls the host's function. Whatever it throws, or rejects with, changes nothing for the message. */
function reporting(onRefused: OnRefused | undefined): OnRefused {
  return (from, reason) => {
    const fault = { source: "mcp", phase: "refused", error: reason };
    reportFault(() => onRefused?.(from, reason), fault);
  };
}
