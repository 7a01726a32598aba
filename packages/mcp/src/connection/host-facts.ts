import type { RunOptions } from "@toolstile/core";
import { describeCall } from "@toolstile/core/host";
import { isJsonObject } from "@toolstile/core/provider";

/** A request of the client's, as a host's `describe` is given it. */
export interface DescribedRequest {
  /** The request's params, as the client sent them. */
  readonly params: unknown;
  /** The request's `_meta`. The client wrote it, not the host. */
  readonly meta: unknown;
  /** Facts of the transport beside the message, such as `authInfo`. */
  readonly extra?: unknown;
}

export type Describe = (request: DescribedRequest) => RunOptions;

/** Gives what the host knows of a request. */
export type Facts = (request: DescribedRequest) => RunOptions;

/** The origin of a connection's calls. */
export interface CallOrigin {
  readonly describe: Describe | undefined;
  readonly serverName: string | undefined;
  /** Names the session for guards, where the host describes no calls. */
  readonly sessionId: string | undefined;
  /** The part of a message's `extra` that `describe` is given. */
  readonly extraOf: (extra: unknown) => unknown;
}

/** The host's facts of each call, with the server's name; without a `describe`, the session's name. */
export function factsFrom({ describe, serverName, sessionId, extraOf }: CallOrigin): Facts {
  if (describe !== undefined) {
    return ({ params, meta, extra }) =>
      described(() => describe({ params, meta, extra: extraOf(extra) }), serverName);
  }
  const attributes = serverName === undefined ? undefined : { mcpServer: serverName };
  const context = Object.freeze({
    ...(sessionId !== undefined && { sessionId }),
    ...(attributes !== undefined && { attributes: Object.freeze(attributes) }),
  });
  // One object for all calls: it depends on none of them.
  const known: RunOptions = Object.freeze({ context });
  return () => known;
}

/**
 * The host's facts of one call.
 *
 * Facts that are not a plain object could not hold the server's name, and would
 * lose inherited members: the call is denied.
 */
function described(describe: () => RunOptions, serverName: string | undefined): RunOptions {
  // A connection has its tools; no call declares others.
  const { tools: _, ...facts } = describeCall(describe);
  if (serverName === undefined) return facts;
  return describeCall(() => {
    const context = plain(facts.context);
    const attributes = { ...plain(context["attributes"]), mcpServer: serverName };
    return { ...facts, context: { ...context, attributes } };
  });
}

/** A copy's source. @throws for anything but a plain object. */
function plain(facts: unknown): Record<string, unknown> {
  if (facts === undefined || facts === null) return {};
  const isPlain =
    isJsonObject(facts) && [Object.prototype, null].includes(Object.getPrototypeOf(facts));
  if (!isPlain) throw new TypeError("the facts must be a plain object");
  return facts;
}

/** True for no signal, and for one that can be listened to, of any realm: a CallerAbort, too. */
export function isSignal(signal: RunOptions["signal"]): boolean {
  return (
    signal === undefined ||
    (typeof signal?.addEventListener === "function" &&
      typeof signal.removeEventListener === "function")
  );
}
