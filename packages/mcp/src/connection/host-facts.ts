import { describeCall, type RunOptions } from "@toolstile/core";
import { isRecord } from "./json-rpc.js";

/** What a host's `describe` is given of a request. */
export interface DescribedRequest {
  /** As the client sent them. */
  readonly params: unknown;
  /** The request's `_meta`. The client's word, not the host's. */
  readonly meta: unknown;
  /** What the transport says beside the message, such as `authInfo`. */
  readonly extra?: unknown;
}

export type Describe = (request: DescribedRequest) => RunOptions;

/** What is known of a request's host. */
export type Facts = (request: DescribedRequest) => RunOptions;

/** The host's facts of each call, and the server that it is for; of a host that says nothing, the session. */
export function factsFrom(
  describe: Describe | undefined,
  serverName: string | undefined,
  sessionId: string | undefined,
): Facts {
  if (describe !== undefined) return (request) => described(describe, request, serverName);
  const attributes = serverName === undefined ? undefined : { mcpServer: serverName };
  const context = Object.freeze({
    ...(sessionId !== undefined && { sessionId }),
    ...(attributes !== undefined && { attributes: Object.freeze(attributes) }),
  });
  // One for all calls: there is nothing to ask.
  const known: RunOptions = Object.freeze({ context });
  return () => known;
}

/**
 * The host's facts of one call.
 *
 * What is no plain object has no place for the server's name, and would lose
 * what is not its own: the call is denied.
 */
function described(
  describe: Describe,
  request: DescribedRequest,
  serverName: string | undefined,
): RunOptions {
  // A connection has its tools; no call declares others.
  const { tools: _, ...facts } = describeCall(() => describe(request));
  if (serverName === undefined) return facts;
  return describeCall(() => {
    const context = plain(facts.context);
    const attributes = { ...plain(context["attributes"]), mcpServer: serverName };
    return { ...facts, context: { ...context, attributes } };
  });
}

/** @throws for what is not there to be read whole. */
function plain(facts: unknown): Record<string, unknown> {
  if (facts === undefined || facts === null) return {};
  const isPlain =
    isRecord(facts) && [Object.prototype, null].includes(Object.getPrototypeOf(facts));
  if (!isPlain) throw new TypeError("the facts are no plain object");
  return facts;
}

/** Whether a host's signal is none, or one that can be listened to: of any realm, and CallerAbort, too. */
export function isSignal(signal: RunOptions["signal"]): boolean {
  return (
    signal === undefined ||
    (typeof signal?.addEventListener === "function" &&
      typeof signal.removeEventListener === "function")
  );
}
