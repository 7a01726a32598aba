import type { ContentPart, ToolContent } from "@toolstile/core";
import { ownValue } from "@toolstile/core/provider";
import type { JsonRpcMessage } from "../message/json-rpc.js";

/** The members of a tool's result that guards are shown where they belong. */
export const completeMembers = ["resultType", "content", "structuredContent", "isError"];
/** Those of a question that the server asks before its result. */
export const askingMembers = ["resultType", "inputRequests"];

/** Entries of `_meta` that the protocol itself writes on each answer, and that say nothing of the call. */
const usualMeta = ["io.modelcontextprotocol/serverInfo"];
/** Marks the part that is made here. It is taken out again before a client reads it. */
const mark = "toolstile/rest";

/** The content with a last part that has the other members of a result, as JSON, if there are any. */
export function withRest(
  content: ToolContent,
  result: Readonly<Record<string, unknown>>,
  members: readonly string[],
): ToolContent {
  if (Object.keys(result).every((name) => members.includes(name))) return content;
  const { _meta, ...others } = result;
  const rest = without(others, members);
  const meta = typeof _meta === "object" && _meta !== null ? without(_meta, usualMeta) : _meta;
  if (meta !== undefined && !isEmpty(meta)) rest["_meta"] = meta;
  if (isEmpty(rest)) return content;
  const part: ContentPart = { type: "text", text: JSON.stringify(rest), _meta: { [mark]: true } };
  const parts = typeof content === "string" ? [{ type: "text", text: content }] : content;
  // What is no list is refused by core.
  return Array.isArray(parts) ? [...parts, part] : content;
}

/** The content without that part: a guard has changed the result, and only what the guard gave is left. */
export function withoutRest(content: ToolContent): ToolContent {
  if (typeof content === "string") return content;
  return content.filter((part) => ownValue(ownValue(part, "_meta"), mark) !== true);
}

/** A server's answer without those members. */
export function withoutMembers(answer: JsonRpcMessage): JsonRpcMessage {
  const { result } = answer;
  if (result === undefined) return answer;
  const members = Object.hasOwn(result, "inputRequests") ? askingMembers : completeMembers;
  const kept = Object.entries(result).filter(([name]) => members.includes(name));
  return { ...answer, result: Object.fromEntries(kept) };
}

function without(object: object, names: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(Object.entries(object).filter(([name]) => !names.includes(name)));
}

function isEmpty(value: unknown): boolean {
  return value === null || (typeof value === "object" && Object.keys(value).length === 0);
}
