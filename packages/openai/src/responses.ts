import { type ToolRunner, ToolstileError, textOf } from "@toolstile/core";
import { optionError, ownText, ownValue, quoted } from "@toolstile/core/provider";
import { asksNothing } from "./response-items.js";
import { shownTool, toolsOf } from "./shown-tool.js";
import {
  type AskedCall,
  customCall,
  functionCall,
  idOf,
  runTurn,
  type TurnOptions,
  type TurnRunner,
} from "./turn.js";

/** A response of the Responses API, as far as it is read. */
export interface ModelResponse {
  readonly output: readonly object[];
}

/** The item that answers one call. */
export interface ToolOutput {
  readonly type: "function_call_output" | "custom_tool_call_output";
  readonly call_id: string;
  readonly output: string;
}

/** A tool as responses declare it. */
export interface ResponseTool {
  readonly type: "function";
  readonly name: string;
  readonly description?: string;
  readonly parameters: { [key: string]: unknown };
  readonly strict: false;
}

/** Declares the tools of a runner, for the `tools` of a response. @throws ToolstileError `ERR_INVALID_OPTION` */
export function responseTools(runner: Pick<ToolRunner, "tools">): ResponseTool[] {
  return toolsOf("responseTools()", runner).map((tool) => ({
    type: "function",
    ...shownTool(tool),
    strict: false,
  }));
}

const where = "toolOutputs()";

/**
 * Runs the function and custom tool calls of a response, and returns the items that the model reads next.
 *
 * There is one item for each call, in their order, whatever became of it; none for a response without
 * calls. The free text of a custom tool is its argument `input`. A tool in a namespace is asked for
 * as `namespace.name`. A call that the model did not complete is denied.
 *
 * @throws ToolstileError, before any tool runs: `ERR_INVALID_OPTION` for a call without an id, and for a
 * value that is not a response; `ERR_UNSUPPORTED` for an item that asks the host to act in another way (a
 * shell, a computer, an approval), and for one of a type that is not known.
 */
export async function toolOutputs(
  runner: TurnRunner,
  response: ModelResponse,
  options?: TurnOptions,
): Promise<ToolOutput[]> {
  const items = callItemsOf(response);
  const calls = items.map((item, index) => callOf(item, index));
  const outcomes = await runTurn(where, runner, calls, options);
  return outcomes.map(({ callId, result }, index) => ({
    type: isCustom(items[index]) ? "custom_tool_call_output" : "function_call_output",
    call_id: callId,
    output: textOf(result),
    ...callerOf(items[index]),
  }));
}

function callItemsOf(response: unknown): readonly unknown[] {
  const output = ownValue(response, "output");
  if (!Array.isArray(output)) {
    throw optionError(where, "response", "a response with an array `output`", response);
  }
  return Array.from(output as readonly unknown[]).filter((item) => {
    const type = ownText(item, "type");
    if (type === "function_call" || type === "custom_tool_call") return true;
    if (type !== undefined && asksNothing(type, item)) return false;
    const kind = type === undefined ? "no type" : `the type ${quoted(type)}`;
    throw new ToolstileError(
      "ERR_UNSUPPORTED",
      `${where}: an item of the response has ${kind}, which no guard of this runner judges. Answer it yourself, and pass the other items: { output: response.output.filter(…) }.`,
    );
  });
}

function callOf(item: unknown, index: number): AskedCall {
  const callId = idOf(where, item, "call_id", index);
  const call = isCustom(item)
    ? customCall(callId, nameOf(item), ownValue(item, "input"))
    : functionCall(callId, nameOf(item), ownValue(item, "arguments"));
  // What was cut off may still be JSON, and mean something else: it is read as the text that it is not.
  const isWhole = (ownValue(item, "status") ?? "completed") === "completed";
  return isWhole ? call : { ...call, arguments: "{" };
}

/** The name of a tool, behind that of its namespace: two namespaces may each have a tool of one name. */
function nameOf(item: unknown): string | undefined {
  const name = ownText(item, "name");
  const namespace = ownValue(item, "namespace") ?? undefined;
  if (namespace === undefined || name === undefined) return name;
  return typeof namespace === "string" ? `${namespace}.${name}` : undefined;
}

function isCustom(item: unknown): boolean {
  return ownValue(item, "type") === "custom_tool_call";
}

/** A call that a program of the model made is answered to that program. */
function callerOf(item: unknown): object {
  const caller = ownValue(item, "caller") ?? undefined;
  return caller === undefined ? {} : { caller };
}
