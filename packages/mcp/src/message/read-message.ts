import { isUtf8 } from "node:buffer";
import {
  hasDuplicateKeys,
  isJsonObject,
  type JsonLimits,
  ownValue,
  parseArguments,
} from "@toolstile/core/provider";
import {
  hasUnknownMembers,
  isId,
  type JsonRpcId,
  type JsonRpcMessage,
  rpcCodes,
} from "./json-rpc.js";
import { folded, variantsOf } from "./name-variants.js";
import type { Refusal } from "./refusal.js";

/** A message that was read, or the reason why it is not passed on. */
export type Reading =
  | { readonly ok: true; readonly message: JsonRpcMessage }
  | ({ readonly ok: false } & Refusal);

const byteOrderMark = Buffer.from([0xef, 0xbb, 0xbf]);

/**
 * Bytes without the byte order mark that some writers put in front of JSON.
 *
 * RFC 8259 lets a reader ignore it. The next reader may not, so that it is not passed on.
 */
export function withoutMark(bytes: Buffer): Buffer {
  return bytes.subarray(0, 3).equals(byteOrderMark) ? bytes.subarray(3) : bytes;
}

/** JSON-RPC's code for text that is not JSON. */
export const parseError = -32_700;
const { invalidRequest } = rpcCodes;

/**
 * Read the text of one JSON-RPC message. Text that two readers could read differently is refused.
 *
 * The next reader uses another JSON parser, which may be lenient with names. If
 * it might find a `tools/call` that was not seen here, or another answer than
 * the one that was judged, the message is refused.
 */
export function readMessage(bytes: Uint8Array, maxBytes: number): Reading {
  if (!isUtf8(bytes)) return refusal(parseError, "it is not UTF-8");
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("utf8");
  try {
    // In the common spelling it is parsed once, and strictly. If that fails, the slow way finds the reason.
    if (text.includes('"tools/call"')) {
      const parsed = parseArguments(text, limitsOf(maxBytes));
      if (parsed.ok) return checked(parsed.args as unknown as JsonRpcMessage);
    }
    const value: unknown = JSON.parse(text);
    if (Array.isArray(value)) {
      return refusal(invalidRequest, "batches are not taken, send each message on its own", value);
    }
    if (typeof value !== "object" || value === null) {
      return refusal(invalidRequest, "it is not a JSON-RPC message");
    }
    if (hasDuplicateKeys(text, value)) {
      return refusal(invalidRequest, "an object in it has the same key twice", value);
    }
    const message = value as JsonRpcMessage;
    if (ownValue(message, "method") !== "tools/call") return checked(message);
    const { ok } = parseArguments(text, limitsOf(maxBytes));
    return ok ? checked(message) : refusal(invalidRequest, unsafe, value);
  } catch {
    // The engine's own error would quote the text.
    return refusal(parseError, "it is not valid JSON");
  }
}

const unsafe = "its JSON means different things to different readers, or is out of bounds";

/** The limits of a whole message. The arguments in it are held to the runner's own. */
function limitsOf(maxBytes: number): JsonLimits {
  return { maxBytes, maxDepth: 128, maxNodes: 1_000_000 };
}

function checked(message: JsonRpcMessage): Reading {
  const fault = faultOf(message as unknown as Readonly<Record<string, unknown>>);
  return fault === undefined ? { ok: true, message } : refusal(invalidRequest, fault, message);
}

function faultOf(message: Readonly<Record<string, unknown>>): string | undefined {
  if (hasMessageVariants(message)) return "a member's name is a variant of a known one";
  if (hasUnknownMembers(message)) return "a member is none of JSON-RPC's";
  if (ownValue(message, "jsonrpc") !== "2.0") return "it is not JSON-RPC 2.0";
  const hasId = Object.hasOwn(message, "id");
  const id = ownValue(message, "id");
  const answers =
    Number(Object.hasOwn(message, "result")) + Number(Object.hasOwn(message, "error"));
  if (!Object.hasOwn(message, "method")) {
    if (answers !== 1) return "it is neither a request nor one answer";
    // An error for no request in particular may have null for an id, or none.
    const isForNone = Object.hasOwn(message, "error") && (id === null || !hasId);
    return isId(id) || isForNone ? undefined : "its id is neither text nor a safe number";
  }
  if (answers !== 0) return "it is both a request and an answer";
  if (hasId && !isId(id)) return "its id is neither text nor a safe number";
  const method = ownValue(message, "method");
  if (typeof method !== "string") return "its method is not text";
  return method === "tools/call" ? faultOfCall(message, hasId) : faultOfMethod(method);
}

function faultOfCall(
  message: Readonly<Record<string, unknown>>,
  hasId: boolean,
): string | undefined {
  if (!hasId) return "a call without an id cannot be answered";
  const params = ownValue(message, "params");
  if (!isJsonObject(params)) return "the params of a call are not an object";
  return hasCallVariants(params) ? "a member's name is a variant of a known one" : undefined;
}

/** The fault of a method that a lenient server might read as `tools/call`. */
function faultOfMethod(method: string): string | undefined {
  if (method.length > 256) return "its method is too long";
  return folded(method).replace(/[^a-z/]/g, "") === "tools/call"
    ? "its method is a variant of tools/call"
    : undefined;
}

const hasMessageVariants = variantsOf(["jsonrpc", "id", "method", "params", "result", "error"]);
const hasCallVariants = variantsOf(["name", "arguments", "_meta", "task"]);

function refusal(code: number, reason: string, value?: unknown): Reading {
  const messages: readonly unknown[] = Array.isArray(value) ? value.slice(0, 100) : [value];
  const idsOf = (isRequest: boolean): readonly JsonRpcId[] =>
    messages
      .filter((each) => (ownValue(each, "method") !== undefined) === isRequest)
      .map((each) => ownValue(each, "id"))
      .filter(isId);
  return { ok: false, code, reason, requestIds: idsOf(true), answeredIds: idsOf(false) };
}
