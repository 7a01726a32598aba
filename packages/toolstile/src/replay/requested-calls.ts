import { own, ownText } from "./own-property.js";

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
  if (own(message, "role") !== "assistant") return [];
  const toolCalls = own(message, "tool_calls");
  const calls = Array.isArray(toolCalls) ? Array.from(toolCalls, readToolCall) : [];
  const legacy = own(message, "function_call") ?? undefined;
  return legacy === undefined || isEmpty(legacy) ? calls : [...calls, readFunctionCall(legacy)];
}

/** Whether the message is what a tool answered. */
export function isResult(message: unknown): boolean {
  const role = own(message, "role");
  return role === "tool" || role === "function";
}

function readToolCall(call: unknown, callIndex: number): RequestedCall {
  const id = ownText(call, "id");
  const custom = own(call, "custom");
  const name = ownText(own(call, "function"), "name");
  if (name === undefined && ownText(custom, "name") !== undefined) {
    // The text of a custom tool is no JSON and has no key; this is the name that OpenAI gives it.
    const text = own(custom, "input");
    return { callIndex, id, name: ownText(custom, "name"), arguments: { input: text } };
  }
  return { callIndex, id, name, arguments: own(own(call, "function"), "arguments") };
}

function readFunctionCall(call: unknown): RequestedCall {
  return {
    callIndex: undefined,
    id: undefined,
    name: ownText(call, "name"),
    arguments: own(call, "arguments"),
  };
}

/** Some clients write an empty one beside each answer. */
function isEmpty(call: unknown): boolean {
  return own(call, "name") === "" && (own(call, "arguments") ?? "") === "";
}
