import { type ToolRunner, ToolstileError, textOf } from "@toolstile/core";
import { isJsonObject, optionError, ownValue } from "@toolstile/core/provider";
import { shownTool, toolsOf } from "./shown-tool.js";
import {
  type AskedCall,
  customCall,
  functionCall,
  idOf,
  runTurn,
  type TurnOptions,
  type TurnRunner,
  unreadable,
} from "./turn.js";

/** The assistant's message of a chat completion, as far as it is read. */
export interface AssistantMessage {
  readonly tool_calls?: readonly object[] | null | undefined;
  readonly function_call?: object | null | undefined;
}

/** The message that answers one call. */
export interface ToolMessage {
  readonly role: "tool";
  readonly tool_call_id: string;
  readonly content: string;
}

/** A tool as chat completions declare it. */
export interface ChatTool {
  readonly type: "function";
  readonly function: {
    readonly name: string;
    readonly description?: string;
    readonly parameters: { [key: string]: unknown };
  };
}

/** Declares the tools of a runner, for the `tools` of a chat completion. @throws ToolstileError `ERR_INVALID_OPTION` */
export function chatTools(runner: Pick<ToolRunner, "tools">): ChatTool[] {
  return toolsOf("chatTools()", runner).map((tool) => ({
    type: "function",
    function: shownTool(tool),
  }));
}

const where = "toolMessages()";

/**
 * Runs the tool calls of an assistant's message, and returns the messages that the model reads next.
 *
 * There is one message for each call, in their order, whatever became of it; none for a message without
 * calls, such as a refusal. The free text of a custom tool is its argument `input`. A call of
 * a kind that is not known is denied. Append the assistant's message first: the API wants
 * the calls before their answers.
 *
 * @throws ToolstileError, before any tool runs: `ERR_INVALID_OPTION` for a call without an id, and for a
 * value that is not a message; `ERR_UNSUPPORTED` for a `function_call`, the form before there were tools.
 */
export async function toolMessages(
  runner: TurnRunner,
  message: AssistantMessage,
  options?: TurnOptions,
): Promise<ToolMessage[]> {
  const outcomes = await runTurn(where, runner, callsOf(message), options);
  return outcomes.map(({ callId, result }) => ({
    role: "tool",
    tool_call_id: callId,
    content: textOf(result),
  }));
}

function callsOf(message: unknown): readonly AskedCall[] {
  if (!isJsonObject(message)) {
    throw optionError(
      where,
      "message",
      "an assistant's message, as in completion.choices[0].message",
      message,
    );
  }
  if ((ownValue(message, "function_call") ?? null) !== null) {
    throw new ToolstileError(
      "ERR_UNSUPPORTED",
      `${where}: the message has a function_call, the form before there were tools. Declare tools, and not functions.`,
    );
  }
  const calls = ownValue(message, "tool_calls") ?? [];
  if (!Array.isArray(calls)) throw optionError(where, "message.tool_calls", "an array", calls);
  return Array.from(calls, (call: unknown, index) => {
    const callId = idOf(where, call, "id", index);
    const [called, custom] = [ownValue(call, "function"), ownValue(call, "custom")];
    switch (ownValue(call, "type")) {
      case "function":
        return functionCall(callId, ownValue(called, "name"), ownValue(called, "arguments"));
      case "custom":
        return customCall(callId, ownValue(custom, "name"), ownValue(custom, "input"));
      default:
        return unreadable(callId);
    }
  });
}
