import { isJsonObject, ownValue } from "@toolstile/core/provider";
export type JsonRpcId = string | number;

/** One message of JSON-RPC 2.0, as MCP has it. */
export interface JsonRpcMessage {
  readonly jsonrpc: "2.0";
  readonly id?: JsonRpcId | null | undefined;
  readonly method?: string | undefined;
  readonly params?: object | undefined;
  readonly result?: object | undefined;
  readonly error?: object | undefined;
}

/** The kind of a message: exactly one of these, or `invalid` where two readers could disagree. */
export type MessageKind =
  | { readonly kind: "request"; readonly id: JsonRpcId; readonly method: string }
  | { readonly kind: "notification"; readonly method: string }
  | { readonly kind: "response"; readonly id: unknown }
  | { readonly kind: "invalid"; readonly id: JsonRpcId | null };

/** Read a message's kind, by own properties. A message with members of a request and of a response is invalid. */
export function kindOf(message: unknown): MessageKind {
  const id = ownValue(message, "id");
  if (hasToJson(message) || hasUnknownMembers(message)) {
    return { kind: "invalid", id: isId(id) ? id : null };
  }
  const isCall = has(message, "method");
  const isAnswer = has(message, "result") || has(message, "error");
  const method = ownValue(message, "method");
  if (isCall && !isAnswer && typeof method === "string") {
    if (id === undefined) return { kind: "notification", method };
    if (isId(id)) return { kind: "request", id, method };
  }
  if (isAnswer && !isCall) return { kind: "response", id };
  return { kind: "invalid", id: isId(id) ? id : null };
}

const members = new Set(["jsonrpc", "id", "method", "params", "result", "error"]);

/** True for a message with another member than those of JSON-RPC: no guard looks at it, and somebody could read it. */
export function hasUnknownMembers(message: unknown): boolean {
  return isJsonObject(message) && Object.keys(message).some((member) => !members.has(member));
}

/** True for a value with a `toJSON`: a transport would write something else than it holds. */
export function hasToJson(value: unknown): boolean {
  return isJsonObject(value) && typeof value["toJSON"] === "function";
}

export function isId(id: unknown): id is JsonRpcId {
  return typeof id === "string" || Number.isSafeInteger(id);
}

/** A request's id as the id of a call: 1 and "1" are two. */
export function callIdOf(id: JsonRpcId): string {
  return typeof id === "string" && /^(?:-?\d+$|")/.test(id) ? JSON.stringify(id) : String(id);
}

function has(value: unknown, key: string): boolean {
  return isJsonObject(value) && Object.hasOwn(value, key);
}

/** The codes of JSON-RPC that answers here have. */
export const rpcCodes = {
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internal: -32603,
} as const;

export function errorMessage(id: JsonRpcId | null, code: number, message: string): JsonRpcMessage {
  return { jsonrpc: "2.0", id, error: { code, message } };
}

export function cancellation(requestId: JsonRpcId, reason: string): JsonRpcMessage {
  return { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId, reason } };
}

/** The prefix of the metadata that each request of the revision of 2026-07-28 carries. */
const envelopePrefix = "io.modelcontextprotocol/";
const versionKey = `${envelopePrefix}protocolVersion`;

/** The envelope of a request, for another request on the same connection; `undefined` in older revisions. */
export function envelopeOf(params: unknown): Record<string, unknown> | undefined {
  const meta = ownValue(params, "_meta");
  if (typeof ownValue(meta, versionKey) !== "string") return undefined;
  return Object.fromEntries(
    Object.entries(meta as object).filter(([key]) => key.startsWith(envelopePrefix)),
  );
}
