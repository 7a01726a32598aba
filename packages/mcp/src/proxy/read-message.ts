import { isUtf8 } from "node:buffer";
import { hasDuplicateKeys, type JsonLimits, parseArguments } from "@toolstile/core";
import {
  isId,
  type JsonRpcId,
  type JsonRpcMessage,
  own,
  rpcCodes,
} from "../connection/json-rpc.js";
import { folded, variantsOf } from "../connection/name-variants.js";
import type { Refused } from "./refusals.js";

/** A message that was read, or why it is not passed on. */
export type Reading =
  | { readonly ok: true; readonly message: JsonRpcMessage }
  | ({ readonly ok: false } & Required<Refused>);

/** JSON-RPC's code for what is no JSON. */
export const parseError = -32_700;
const { invalidRequest } = rpcCodes;

/**
 * Read the text of one JSON-RPC message, and refuse whatever two readers could read differently.
 *
 * The next reader is not this one. Wherever another JSON parser, or one that
 * is lenient with names, might find a `tools/call` that was not seen here, or
 * another answer than the one that was judged, the message is refused.
 */
export function readMessage(bytes: Uint8Array, maxBytes: number): Reading {
  if (!isUtf8(bytes)) return refusal(parseError, "it is not UTF-8");
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("utf8");
  try {
    // In the common spelling it is parsed once, and strictly.
    if (text.includes('"tools/call"')) {
      const strict = readStrictly(text, maxBytes);
      if (strict !== undefined) return checked(strict);
    }
    const value: unknown = JSON.parse(text);
    if (Array.isArray(value)) {
      return refusal(invalidRequest, "batches are not taken, send each message on its own", value);
    }
    if (typeof value !== "object" || value === null) {
      return refusal(invalidRequest, "it is no JSON-RPC message");
    }
    if (hasDuplicateKeys(text, value)) {
      return refusal(invalidRequest, "an object in it has the same key twice", value);
    }
    const message = value as JsonRpcMessage;
    if (own(message, "method") !== "tools/call") return checked(message);
    const { ok } = parseArguments(text, limitsOf(maxBytes));
    return ok ? checked(message) : refusal(invalidRequest, unsafe, value);
  } catch {
    // The engine's own words would quote it.
    return refusal(parseError, "it is not valid JSON");
  }
}

const unsafe = "its JSON means different things to different readers, or is out of bounds";

/** The message, frozen; or nothing, where the slow way has to say what it is. */
function readStrictly(text: string, maxBytes: number): JsonRpcMessage | undefined {
  const parsed = parseArguments(text, limitsOf(maxBytes));
  return parsed.ok ? (parsed.args as unknown as JsonRpcMessage) : undefined;
}

/** Of a whole message: the arguments in it are held to the runner's own limits. */
function limitsOf(maxBytes: number): JsonLimits {
  return { maxBytes, maxDepth: 128, maxNodes: 1_000_000 };
}

function checked(message: JsonRpcMessage): Reading {
  const fault = faultOf(message as unknown as Readonly<Record<string, unknown>>);
  return fault === undefined ? { ok: true, message } : refusal(invalidRequest, fault, message);
}

function faultOf(message: Readonly<Record<string, unknown>>): string | undefined {
  if (hasMessageVariants(message)) return "a member's name is a variant of a known one";
  if (own(message, "jsonrpc") !== "2.0") return "it is not JSON-RPC 2.0";
  const hasId = Object.hasOwn(message, "id");
  const id = own(message, "id");
  const answers =
    Number(Object.hasOwn(message, "result")) + Number(Object.hasOwn(message, "error"));
  if (!Object.hasOwn(message, "method")) {
    if (answers !== 1) return "it is neither a request nor one answer";
    // An error that answers nobody in particular may say null, or nothing.
    const isNobodys = Object.hasOwn(message, "error") && (id === null || !hasId);
    return isId(id) || isNobodys ? undefined : "its id is neither text nor a safe number";
  }
  if (answers !== 0) return "it is both a request and an answer";
  if (hasId && !isId(id)) return "its id is neither text nor a safe number";
  const method = own(message, "method");
  if (typeof method !== "string") return "its method is not text";
  return method === "tools/call" ? faultOfCall(message, hasId) : faultOfMethod(method);
}

function faultOfCall(
  message: Readonly<Record<string, unknown>>,
  hasId: boolean,
): string | undefined {
  if (!hasId) return "a call without an id cannot be answered";
  const params = own(message, "params");
  if (typeof params !== "object" || params === null || Array.isArray(params)) {
    return "the params of a call are not an object";
  }
  return hasCallVariants(params) ? "a member's name is a variant of a known one" : undefined;
}

/** What a lenient server might take for `tools/call`. */
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
      .filter((each) => (own(each, "method") !== undefined) === isRequest)
      .map((each) => own(each, "id"))
      .filter(isId);
  return { ok: false, code, reason, requestIds: idsOf(true), answeredIds: idsOf(false) };
}
