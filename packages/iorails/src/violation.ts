/** The kinds of violations. */
export type ViolationType =
  /** The tool was not declared, by the request or in the configuration. */
  | "tool_not_allowed"
  | "arguments_invalid"
  /** Arguments for a tool that takes none. */
  | "unexpected_arguments"
  /** The arguments are not exactly one JSON object. */
  | "malformed_arguments"
  | "invalid_tool_schema"
  | "invalid_toolset"
  /** A mounted provider denied. */
  | "per_tool_rail"
  | "missing_call_id"
  /** An id that is there, and is not text. */
  | "malformed_call_id"
  | "unknown_call_id"
  | "duplicate_call_id"
  | "duplicate_result"
  | "duplicate_prior_call_id"
  | "name_mismatch"
  | "missing_name"
  | "missing_result"
  | "malformed_content"
  | "malformed_calls"
  /** A message of no known role, with calls or results that its role cannot have, or with a member or a part that is not read. */
  | "malformed_message"
  /** The result breaks the schema that was declared for it. */
  | "result_invalid"
  /** A receipt that is required is absent, or one that is there proves nothing. */
  | "receipt_invalid"
  /** A rail that a model backs said no. */
  | "rail_blocked"
  /** A rail could not come to a verdict. */
  | "rail_failed";

/** One thing that a rail found, and where. No argument value, no message text stands in it. */
export interface Violation {
  readonly kind: "input" | "output" | "tool_call" | "tool_result";
  readonly violationType: ViolationType;
  readonly reason: string;
  readonly toolCallId?: string | undefined;
  readonly toolName?: string | undefined;
  /** The index of the call in its message; for results, of the message. */
  readonly index?: number | undefined;
  /** A JSON Pointer into the arguments. */
  readonly argumentPath?: string | undefined;
  readonly schemaKeyword?: string | undefined;
  /** The flow or the mounted provider that found it. */
  readonly rail?: string | undefined;
  /** The text for the user in place of the usual refusal, if the rail has one. */
  readonly refusal?: string | undefined;
}

/** The tool and the place of a violation: of a call in its message, or of a result in the conversation. */
export function about<Kind extends "tool_call" | "tool_result">(
  kind: Kind,
  index: number,
  id: string | undefined,
  name: string | undefined,
) {
  return { kind, index, toolCallId: identity(id), toolName: identity(name) };
}

const longestIdentity = 256;

/** An id or name as a violation carries it: the model's own text, and therefore cut. */
export function identity(text: string | undefined): string | undefined {
  return text === undefined || text.length <= longestIdentity
    ? text
    : `${text.slice(0, longestIdentity)}…`;
}
