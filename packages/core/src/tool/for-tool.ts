import { optionError } from "../errors/option-error.js";
import { forTools } from "../guard/combinators.js";
import type { Guardrail } from "../guard/define.js";
import type {
  Allow,
  Awaitable,
  Deny,
  GuardrailProvider,
  GuardrailResult,
  ResultDecision,
  ToolCall,
  ToolResult,
} from "../protocol/guardrail.js";
import type { ToolArguments } from "./tool-arguments.js";

/** A call of one tool, with arguments of the type that the tool declares. */
export type CallOf<Declared> = Omit<ToolCall, "args"> & { readonly args: ToolArguments<Declared> };

type Untyped = Omit<GuardrailProvider, "evaluate" | "admit" | "evaluateResult">;

/** A guard of one tool's calls, and of its results if it has an `evaluateResult`. */
export interface ToolGuard<Declared> extends Untyped {
  readonly evaluate: (call: CallOf<Declared>) => Awaitable<GuardrailResult>;
  readonly admit?: ((call: CallOf<Declared>) => Awaitable<Allow | Deny>) | undefined;
  readonly evaluateResult?: ToolResultGuard<Declared>["evaluateResult"] | undefined;
}

/** A judge of one tool's results. */
export interface ToolResultGuard<Declared>
  extends Pick<GuardrailProvider, "name" | "settle" | "judgesPieces" | "timeoutMs" | "close"> {
  readonly evaluateResult: (
    call: CallOf<Declared>,
    result: ToolResult,
  ) => Awaitable<ResultDecision>;
}

/**
 * Limits a guardrail to one tool, and gives its `args` the type that the tool declares.
 *
 * It does what `forTools([tool.name], guardrail)` does: the type is not checked when a call
 * comes. What a Standard Schema declares holds, because it is asked before all guards. What a
 * JSON Schema declares holds if the guard that checks it, such as `schemaValidation()`, stands
 * before this one.
 */
export function forTool<const Declared extends { readonly name: string }>(
  tool: Declared,
  guardrail: ToolGuard<Declared> | ToolResultGuard<Declared>,
): GuardrailProvider;
export function forTool(tool: { readonly name: string }, guardrail: Guardrail): GuardrailProvider;
export function forTool(tool: { readonly name: string }, guardrail: object): GuardrailProvider {
  if (typeof (tool as { readonly name?: unknown } | undefined)?.name !== "string") {
    throw optionError("forTool()", "tool", "a tool, or what has its name", tool);
  }
  return forTools([tool.name], guardrail as Guardrail);
}
