import type { IncomingMessage } from "node:http";

/** Explains an answer's status, for the client and for operators. */
export interface UpstreamStatus {
  /** The status for the client. */
  readonly code: number;
  readonly reason: string;
  /** True for what the operator of the proxy has to set right, and no client can. */
  readonly isOperators: boolean;
}

export function isSuccess({ statusCode = 500 }: IncomingMessage): boolean {
  return statusCode >= 200 && statusCode < 300;
}

/** Reads the status of an answer that is not a success. A redirect and a refused credential are problems of the proxy: its client gets 502. */
export function readStatus({ statusCode = 500 }: IncomingMessage): UpstreamStatus {
  const said = `The MCP server answered with HTTP ${statusCode}`;
  if (statusCode < 400) {
    const reason = `${said}, a redirect, which is not followed. Give the proxy the server's new address.`;
    return { code: 502, reason, isOperators: true };
  }
  if (refusesCredential.has(statusCode)) {
    const reason = `${said}: it refuses the proxy's credential, or requires one.`;
    return { code: 502, reason, isOperators: true };
  }
  if (statusCode === 405) {
    const reason = `${said}. It may speak the older transport of HTTP with SSE, which the proxy does not.`;
    return { code: 405, reason, isOperators: false };
  }
  return { code: statusCode, reason: `${said}.`, isOperators: false };
}

const refusesCredential: ReadonlySet<number> = new Set([401, 403, 407]);
