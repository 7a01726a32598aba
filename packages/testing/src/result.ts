import type { JsonValue, ToolCall, ToolContent, ToolResult } from "@toolstile/core";
import { isObject, optionError } from "@toolstile/core/provider";
import { frozenCopy } from "./frozen-copy.js";

/** The facts that a test may give of a result beside its content. */
export interface ResultOptions {
  readonly callId?: string | undefined;
  readonly name?: string | undefined;
  readonly isError?: boolean | undefined;
  readonly structured?: JsonValue | undefined;
}

/** A result that answers the call, frozen to the leaves; the options make it claim something else. */
export function result(
  call: ToolCall,
  content: ToolContent = "done",
  options: ResultOptions = {},
): ToolResult {
  if (!isObject(call)) throw optionError("result()", "call", "a call", call);
  return Object.freeze({
    callId: options.callId ?? call.callId,
    name: options.name ?? call.requestedName,
    isError: options.isError ?? false,
    content: frozenCopy(content),
    ...(options.structured === undefined ? {} : { structured: frozenCopy(options.structured) }),
  });
}
