import type {
  Allow,
  ApprovalRequest,
  Deny,
  JsonObject,
  Metadata,
  Modify,
  ResultBody,
  Rewrite,
  ToolContent,
} from "../protocol/guardrail.js";

/** The three decisions. */
export const Decision = Object.freeze({
  ALLOW: "allow",
  DENY: "deny",
  MODIFY: "modify",
} as const);
export type Decision = (typeof Decision)[keyof typeof Decision];

// No verdict has a prototype: an async function hands it to JavaScript, which would call a `then` planted on the root.
/** The one plain allow. */
export const ALLOW: Allow = Object.freeze({ __proto__: null, decision: "allow" });

/** Allows the call or the result. Without arguments it returns one frozen object, which is also the fast path. */
export function allow(details?: { reason?: string; metadata?: Metadata }): Allow {
  return details === undefined
    ? ALLOW
    : Object.freeze({ __proto__: null, ...details, decision: "allow" });
}

/**
 * Denies the call, or withholds the result.
 *
 * The model reads the reason, so it must quote no argument value.
 */
export function deny(reason: string): Deny & { readonly approval?: never };
export function deny(
  reason: string,
  details: { code?: string; replacement?: ToolContent; metadata?: Metadata },
): Deny & { readonly approval?: never };
export function deny(
  reason: string,
  details: {
    code?: string;
    replacement?: ToolContent;
    approval?: ApprovalRequest;
    metadata?: Metadata;
  },
): Deny;
export function deny(reason: string, details: object = {}): Deny {
  return Object.freeze({ __proto__: null, ...details, decision: "deny", reason });
}

/** Allows the call with other arguments. They replace the old ones whole. */
export function modify(
  modifiedArgs: object,
  details: { reason?: string; metadata?: Metadata } = {},
): Modify {
  return Object.freeze({
    __proto__: null,
    ...details,
    decision: "modify",
    modifiedArgs: modifiedArgs as JsonObject,
  });
}

/** Allows the result with another body. It replaces the old one whole. */
export function rewrite(
  modifiedResult: ResultBody,
  details: { reason?: string; metadata?: Metadata } = {},
): Rewrite {
  return Object.freeze({ __proto__: null, ...details, decision: "modify", modifiedResult });
}
