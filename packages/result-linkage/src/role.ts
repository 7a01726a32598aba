import { didYouMean, ownValue, quoted } from "@toolstile/core/provider";
import { messageShapes } from "./message-shape.js";
import { isEmpty } from "./shape.js";
import { functionCallOf } from "./turn.js";

/** The fields of calls and results that a message of each role may carry. */
const carried: ReadonlyMap<string, readonly string[]> = new Map([
  ["assistant", ["tool_calls", "function_call"]],
  ["developer", []],
  ["function", []],
  ["system", []],
  ["tool", ["tool_call_id"]],
  ["user", []],
]);

/**
 * Says what is wrong with a message, its calls and results aside, if anything is.
 *
 * A call, a result or a text in a place that is not read here would not be judged,
 * and the next reader of the conversation might still use it.
 */
export function messageFault(message: unknown, role: unknown): string | undefined {
  if (typeof role !== "string") return "the message has no role";
  const its = carried.get(role);
  if (its === undefined) {
    const guess = didYouMean(role, carried.keys());
    return `the role ${quoted(role)} is not known${guess === "" ? "" : `.${guess}`}`;
  }
  return strayFault(message, role) ?? unreadFault(message, role);
}

function unreadFault(message: unknown, role: string): string | undefined {
  const unread = messageShapes.get(role)?.(message);
  if (unread === undefined) return undefined;
  // The path of a member begins with a dot.
  return `a message of role ${quoted(role)} has ${quoted(unread.slice(1))}, which is not read`;
}

/** Says which fields of calls and results a message carries that are not for its role, if any. */
export function strayFault(message: unknown, role: unknown): string | undefined {
  const its = typeof role === "string" ? (carried.get(role) ?? none) : none;
  if (!hasOthers(message, its)) return;
  const stray = callAndResultFields(message).filter((field) => !its.includes(field));
  if (stray.length === 0) return;
  const whose = typeof role === "string" ? `role ${quoted(role)}` : "no role";
  return `a message of ${whose} carries ${stray.join(" and ")}`;
}

function callAndResultFields(message: unknown): readonly string[] {
  const fields: string[] = [];
  if (!isEmpty(ownValue(message, "tool_calls"))) fields.push("tool_calls");
  if (functionCallOf(message) !== undefined) fields.push("function_call");
  if (!isEmpty(ownValue(message, "tool_call_id"))) fields.push("tool_call_id");
  return fields;
}

const none: readonly string[] = Object.freeze([]);

/** True if a message, or its prototype, has something of calls and results besides these fields. Named reads cost a tenth of others. */
function hasOthers(message: unknown, its: readonly string[]): boolean {
  if (typeof message !== "object" || message === null) return false;
  const { tool_calls, function_call, tool_call_id } = message as Readonly<Record<string, unknown>>;
  return (
    (tool_calls !== undefined && !its.includes("tool_calls")) ||
    (function_call !== undefined && !its.includes("function_call")) ||
    (tool_call_id !== undefined && !its.includes("tool_call_id"))
  );
}
