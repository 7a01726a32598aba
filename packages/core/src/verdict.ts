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
} from "./protocol.js";

/** The three decisions. */
export const Decision = Object.freeze({
  ALLOW: "allow",
  DENY: "deny",
  MODIFY: "modify",
} as const);
export type Decision = (typeof Decision)[keyof typeof Decision];

const ALLOW: Allow = Object.freeze({ decision: "allow" });

/** Let the call, or the result, through. Without arguments it is one frozen object, which is also the fast path. */
export function allow(details?: { reason?: string; metadata?: Metadata }): Allow {
  return details === undefined ? ALLOW : Object.freeze({ ...details, decision: "allow" });
}

/**
 * Stop the call, or withhold the result.
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
  return Object.freeze({ ...details, decision: "deny", reason });
}

/** Let the call through with other arguments. They replace the old ones whole. */
export function modify(
  modifiedArgs: object,
  details: { reason?: string; metadata?: Metadata } = {},
): Modify {
  return Object.freeze({
    ...details,
    decision: "modify",
    modifiedArgs: modifiedArgs as JsonObject,
  });
}

/** Let the result through with another body. It replaces the old one whole. */
export function rewrite(
  modifiedResult: ResultBody,
  details: { reason?: string; metadata?: Metadata } = {},
): Rewrite {
  return Object.freeze({ ...details, decision: "modify", modifiedResult });
}
