import type { JsonObject } from "@toolstile/core";
import type { Violation } from "../violation.js";
import type { GenerationLog } from "./generation-log.js";

/** The members of NeMo's `GenerationResponse`, under its names. */
export interface GenerationResponse {
  /** One message: the answer, the refusal, or the exception in place of it. */
  readonly response: readonly ResponseMessage[];
  readonly reasoning_content?: string | undefined;
  /** The calls with their arguments as an object. */
  readonly tool_calls?: readonly JsonObject[] | undefined;
  /** The violations of rails on tools. */
  readonly tool_violations: readonly ToolViolation[];
  readonly log?: GenerationLog | undefined;
}

/** A message of a response. */
export type ResponseMessage =
  | { readonly role: "assistant"; readonly content: string }
  | { readonly role: "exception"; readonly content: RailException };

/** The answer to a blocked request where `enable_rails_exceptions` is on. */
export interface RailException {
  readonly type:
    | "InputRailException"
    | "OutputRailException"
    | "ToolCallRailException"
    | "ToolResultRailException";
  /** The reason of the first violation. */
  readonly message: string;
}

/** A violation of a rail on tools, under NeMo's names. */
export interface ToolViolation {
  readonly kind: "tool_call" | "tool_result";
  readonly violation_type: string;
  readonly reason: string;
  readonly tool_call_id?: string | undefined;
  readonly tool_name?: string | undefined;
  readonly index?: number | undefined;
  readonly argument_path?: string | undefined;
  readonly schema_keyword?: string | undefined;
  readonly rail?: string | undefined;
}

const none: readonly ToolViolation[] = Object.freeze([]);

/** The violations of rails on tools; one empty list where there are none. */
export function toolViolations(violations: readonly Violation[]): readonly ToolViolation[] {
  if (violations.length === 0) return none;
  return violations.flatMap((violation) => {
    const { kind, reason, index, rail } = violation;
    if (kind !== "tool_call" && kind !== "tool_result") return [];
    return {
      kind,
      violation_type: violation.violationType,
      reason,
      tool_call_id: violation.toolCallId,
      tool_name: violation.toolName,
      index,
      argument_path: violation.argumentPath,
      schema_keyword: violation.schemaKeyword,
      rail,
    };
  });
}

const exceptions = {
  input: "InputRailException",
  output: "OutputRailException",
  tool_call: "ToolCallRailException",
  tool_result: "ToolResultRailException",
} as const;

/** The exception that stands for a block; undefined where nothing was found. */
export function exceptionFor([first]: readonly Violation[]): RailException | undefined {
  return first && { type: exceptions[first.kind], message: first.reason };
}
