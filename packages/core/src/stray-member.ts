import { quoted } from "./naming.js";
import { type CallRequest, isSignal, type RunOptions } from "./request.js";

/** What people write in place of a call's own members. Under another name, arguments would be none. */
const meant: ReadonlyMap<string, string> = new Map([
  ["args", "arguments"],
  ["argument", "arguments"],
  ["argumets", "arguments"],
  ["function", "name and arguments"],
  ["input", "arguments"],
  ["parameters", "arguments"],
  ["params", "arguments"],
  ["callID", "callId"],
  ["call_id", "callId"],
  ["id", "callId"],
  ["toolCallId", "callId"],
  ["tool_call_id", "callId"],
  ["toolName", "name"],
  ["tool_name", "name"],
]);

/**
 * What is wrong with how a call was asked for, if something was said that
 * nobody would read.
 *
 * What the caller says of the host must be known to the letter: a session id
 * in the wrong place would let all sessions share one limit.
 */
export function strayMember(request: CallRequest, options: RunOptions): string | undefined {
  for (const key in request) {
    if (isMember(key)) continue;
    const right = Object.hasOwn(request, key) ? meant.get(key) : undefined;
    if (right !== undefined) {
      return `the call was asked for with ${quoted(key)}, which nobody reads: it takes ${right}`;
    }
  }
  for (const key in options) {
    if (!Object.hasOwn(options, key)) continue;
    const wrong = wrongOption(key, options[key as keyof RunOptions]);
    if (wrong !== undefined) return wrong;
  }
  const context = Object.hasOwn(options, "context") ? options.context : undefined;
  for (const key in context) {
    if (!isFact(key) && Object.hasOwn(context, key)) {
      return `the call's context has ${quoted(key)}, which nobody reads: facts of the host's own go under attributes`;
    }
  }
  return undefined;
}

function wrongOption(key: string, value: unknown): string | undefined {
  if (value === undefined && isOption(key)) return undefined;
  switch (key) {
    case "agentName":
      return typeof value === "string" ? undefined : "the agentName of the call is no text";
    case "context":
      return typeof value === "object" && value !== null
        ? undefined
        : "the context of the call is no object";
    case "signal":
      return isSignal(value) ? undefined : "the signal of the call is no AbortSignal";
    case "turnId":
      return typeof value === "string" && value !== ""
        ? undefined
        : "the turnId of the call is no text, or empty";
    case "repeatedId":
      return typeof value === "boolean"
        ? undefined
        : "the repeatedId of the call is neither true nor false";
    case "tools":
      return Array.isArray(value) ? undefined : "the tools of the call are no list";
    default:
      return `the call was asked for with the option ${quoted(key)}, which nobody reads`;
  }
}

function isMember(key: string): boolean {
  return key === "name" || key === "arguments" || key === "callId" || key === "receipt";
}

function isOption(key: string): boolean {
  return (
    key === "agentName" ||
    key === "context" ||
    key === "repeatedId" ||
    key === "signal" ||
    key === "tools" ||
    key === "turnId"
  );
}

function isFact(key: string): boolean {
  return (
    key === "sessionId" ||
    key === "principal" ||
    key === "tenant" ||
    key === "traceparent" ||
    key === "attributes"
  );
}
