import { isJsonObject } from "@toolstile/core/provider";
import type { Refusal } from "./answer.js";
import { given } from "./fields.js";

/** The content of one entry of `tool_calls`; null and empty count as absent. */
export interface CallFragment {
  readonly index: number | undefined;
  readonly id: string | undefined;
  readonly type: string | undefined;
  readonly name: string | undefined;
  readonly arguments: unknown;
}

/**
 * Read one entry of a `tool_calls` list, whole or a piece.
 *
 * Arguments stand under `function`, for a custom tool under `custom`, and in
 * an older form beside the name in the entry itself.
 *
 * @throws ModelError "malformed" for an entry that is not a call.
 */
function readFragment(entry: unknown, refuse: Refusal): CallFragment {
  if (!isJsonObject(entry)) throw refuse("one of its tool calls is not an object");
  const index = given(entry, "index");
  if (index !== undefined && !(Number.isSafeInteger(index) && Number(index) >= 0)) {
    throw refuse("the index of a tool call is not a position in a list");
  }
  const asFunction = part(entry, "function", refuse);
  const asCustom = part(entry, "custom", refuse);
  if (asFunction !== undefined && asCustom !== undefined) {
    throw refuse("a tool call is of two kinds at once");
  }
  const type = text(entry, "type", refuse);
  return {
    index: index as number | undefined,
    id: text(entry, "id", refuse),
    type: type ?? (asCustom === undefined ? undefined : "custom"),
    name: text(asFunction ?? asCustom ?? entry, "name", refuse),
    arguments:
      asCustom !== undefined
        ? given(asCustom, "input")
        : asFunction !== undefined
          ? given(asFunction, "arguments")
          : (given(entry, "args") ?? given(entry, "arguments")),
  };
}

/** Read the legacy `function_call`, whole or a piece, if there is one: some servers write an empty one beside each answer. */
export function readFunctionCall(message: object, refuse: Refusal): CallFragment | undefined {
  const call = part(message, "function_call", refuse);
  if (call === undefined) return undefined;
  const name = text(call, "name", refuse);
  const pieces = given(call, "arguments") ?? "";
  if (name === undefined && pieces === "") return undefined;
  return { index: undefined, id: undefined, type: undefined, name, arguments: pieces };
}

/**
 * The entries of a message's or a delta's `tool_calls`.
 *
 * @throws ModelError "malformed" for a value that is not a list: a call in it would pass unread.
 */
export function callEntries(message: object, refuse: Refusal): readonly CallFragment[] {
  const entries = given(message, "tool_calls") ?? [];
  if (!Array.isArray(entries)) throw refuse("its tool calls are not a list");
  return Array.from(entries, (entry) => readFragment(entry, refuse));
}

function part(entry: object, key: string, refuse: Refusal): object | undefined {
  const value = given(entry, key);
  if (value === undefined || isJsonObject(value)) return value;
  throw refuse(`the ${key} of a tool call is not an object`);
}

function text(value: object, key: string, refuse: Refusal): string | undefined {
  const found = given(value, key) ?? "";
  if (typeof found !== "string") throw refuse(`the ${key} of a tool call is not text`);
  return found === "" ? undefined : found;
}
