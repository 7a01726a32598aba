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

/** What a message is: exactly one of these, or nothing that two readers would take for the same. */
export type MessageKind =
  | { readonly kind: "request"; readonly id: JsonRpcId; readonly method: string }
  | { readonly kind: "notification"; readonly method: string }
  | { readonly kind: "response"; readonly id: unknown }
  | { readonly kind: "invalid"; readonly id: JsonRpcId | null };

/** Read what a message is, by own properties. One that is a request to some and a response to others is invalid. */
export function kindOf(message: unknown): MessageKind {
  const id = own(message, "id");
  if (saysHow(message)) return { kind: "invalid", id: isId(id) ? id : null };
  const isCall = has(message, "method");
  const isAnswer = has(message, "result") || has(message, "error");
  const method = own(message, "method");
  if (isCall && !isAnswer && typeof method === "string") {
    if (id === undefined) return { kind: "notification", method };
    if (isId(id)) return { kind: "request", id, method };
  }
  if (isAnswer && !isCall) return { kind: "response", id };
  return { kind: "invalid", id: isId(id) ? id : null };
}

/** Whether a transport that writes a value as JSON would write something else than it holds. */
export function saysHow(value: unknown): boolean {
  return isRecord(value) && typeof value["toJSON"] === "function";
}

export function isId(id: unknown): id is JsonRpcId {
  return typeof id === "string" || Number.isSafeInteger(id);
}

/** A request's id as the id of a call: 1 and "1" are two. */
export function callIdOf(id: JsonRpcId): string {
  return typeof id === "string" && /^(?:-?\d+$|")/.test(id) ? JSON.stringify(id) : String(id);
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A property of the object's own: what is planted on its prototype is nobody's word. */
export function own(value: unknown, key: string): unknown {
  return has(value, key) ? (value as Record<string, unknown>)[key] : undefined;
}

function has(value: unknown, key: string): boolean {
  return isRecord(value) && Object.hasOwn(value, key);
}

/** The codes of JSON-RPC that are answered here. */
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

/** What each request of the revision of 2026-07-28 says of itself, in its metadata. */
const envelopePrefix = "io.modelcontextprotocol/";
const versionKey = `${envelopePrefix}protocolVersion`;

/** The envelope of a request, for another one of ours on the same connection; nothing in older revisions. */
export function envelopeOf(params: unknown): Record<string, unknown> | undefined {
  const meta = own(params, "_meta");
  if (typeof own(meta, versionKey) !== "string") return undefined;
  return Object.fromEntries(
    Object.entries(meta as object).filter(([key]) => key.startsWith(envelopePrefix)),
  );
}
