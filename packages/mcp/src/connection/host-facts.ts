import type { RunOptions } from "@toolstile/core";
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

/** Where something is to be known of the host and cannot be, core denies the call: this cannot be read. */
const unreadable: RunOptions = Object.freeze({
  context: Object.freeze({
    get sessionId(): never {
      throw new TypeError("describe() gave no facts");
    },
  }),
});

/**
 * The host's facts of a call, and the server that it is for.
 *
 * What is no plain object, or is a promise, would be missing without a word
 * where a guard looks for it: the call is denied.
 */
export function factsOf(
  describe: Describe | undefined,
  request: DescribedRequest,
  serverName: string | undefined,
): RunOptions {
  try {
    const said: unknown = describe === undefined ? {} : describe(request);
    if (!isPlain(said)) return refuse(said);
    // A connection has its tools; no call declares others.
    const { tools: _, ...facts }: RunOptions = said;
    if (serverName === undefined) return facts;
    const context: unknown = facts.context ?? {};
    if (!isPlain(context)) return refuse(context);
    const attributes: unknown = context["attributes"] ?? {};
    if (!isPlain(attributes)) return refuse(attributes);
    return {
      ...facts,
      context: { ...context, attributes: { ...attributes, mcpServer: serverName } },
    };
  } catch {
    return unreadable;
  }
}

/** Nobody will wait for a promise: should it reject, that is no news. */
function refuse(said: unknown): RunOptions {
  Promise.resolve(said).catch(() => {});
  return unreadable;
}

/** Of any realm: one whose prototype is the root of its own, or none. */
function isPlain(value: unknown): value is Record<string, unknown> {
  if (!isRecord(value) || typeof value["then"] === "function") return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}
