import { ownText, ownValue } from "@toolstile/core/provider";

/** A call as a model asked for it. */
export interface RequestedCall {
  /** Its place in the message; absent for the legacy `function_call`, of which there is one. */
  readonly callIndex: number | undefined;
  readonly id: string | undefined;
  /** Absent where there is none to be read. */
  readonly name: string | undefined;
  /** JSON text mostly, an object with some local servers; not looked at yet. */
  readonly arguments: unknown;
}

/** The calls of an assistant's message, also those that are malformed; of any other message none. */
export function requestedCalls(message: unknown): readonly RequestedCall[] {
  if (ownValue(message, "role") !== "assistant") return [];
  const toolCalls = ownValue(message, "tool_calls");
  const calls = Array.isArray(toolCalls) ? Array.from(toolCalls, readToolCall) : [];
  const legacy = ownValue(message, "function_call") ?? undefined;
  return legacy === undefined || isEmpty(legacy) ? calls : [...calls, readFunctionCall(legacy)];
}

/** True for a message with a tool's result. */
export function isResult(message: unknown): boolean {
  const role = ownValue(message, "role");
  return role === "tool" || role === "function";
}

function readToolCall(call: unknown, callIndex: number): RequestedCall {
  const id = ownText(call, "id");
  const custom = ownValue(call, "custom");
  const name = ownText(ownValue(call, "function"), "name");
  if (name === undefined && ownText(custom, "name") !== undefined) {
    // The text of a custom tool is not JSON and has no key. OpenAI calls it `input`.
    const text = ownValue(custom, "input");
    return { callIndex, id, name: ownText(custom, "name"), arguments: { input: text } };
  }
  return { callIndex, id, name, arguments: ownValue(ownValue(call, "function"), "arguments") };
}

function readFunctionCall(call: unknown): RequestedCall {
  return {
    callIndex: undefined,
    id: undefined,
    name: ownText(call, "name"),
    arguments: ownValue(call, "arguments"),
  };
}

/** Some clients write an empty one beside each answer. */
function isEmpty(call: unknown): boolean {
  return ownValue(call, "name") === "" && (ownValue(call, "arguments") ?? "") === "";
}
