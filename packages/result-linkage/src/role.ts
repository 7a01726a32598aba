import { didYouMean, quoted } from "@toolstile/core";
import { own } from "./own-property.js";
import { functionCallOf } from "./turn.js";

/** What a message of each role may carry of calls and results. */
const carried: ReadonlyMap<string, readonly string[]> = new Map([
  ["assistant", ["tool_calls", "function_call"]],
  ["developer", []],
  ["function", []],
  ["system", []],
  ["tool", ["tool_call_id"]],
  ["user", []],
]);

/**
 * What is wrong with a message's role, in words, or nothing.
 *
 * A call or a result under a role that is not its own would be read by nobody
 * here, and perhaps by whoever gets the conversation next.
 */
export function roleFault(message: unknown, role: unknown): string | undefined {
  if (typeof role !== "string") return "the message has no role";
  const its = carried.get(role);
  if (its === undefined) {
    const guess = didYouMean(role, carried.keys());
    return `the role ${quoted(role)} is not known${guess === "" ? "" : `.${guess}`}`;
  }
  return strayFault(message, role);
}

/** What a message carries of calls and results that is not for its role, in words, or nothing. */
export function strayFault(message: unknown, role: unknown): string | undefined {
  const fields = callAndResultFields(message);
  if (fields.length === 0) return;
  const its = typeof role === "string" ? (carried.get(role) ?? []) : [];
  const stray = fields.filter((field) => !its.includes(field));
  if (stray.length === 0) return;
  const whose = typeof role === "string" ? `role ${quoted(role)}` : "no role";
  return `a message of ${whose} carries ${stray.join(" and ")}`;
}

function callAndResultFields(message: unknown): readonly string[] {
  if (isBare(message)) return none;
  const fields: string[] = [];
  if (isThere(own(message, "tool_calls"))) fields.push("tool_calls");
  if (functionCallOf(message) !== undefined) fields.push("function_call");
  if (isThere(own(message, "tool_call_id"))) fields.push("tool_call_id");
  return fields;
}

const none: readonly string[] = Object.freeze([]);

/** Whether there is nothing of calls and results in a message, nor in its prototype. Named reads cost a tenth of others. */
function isBare(message: unknown): boolean {
  if (typeof message !== "object" || message === null) return true;
  const { tool_calls, function_call, tool_call_id } = message as Readonly<Record<string, unknown>>;
  return tool_calls === undefined && function_call === undefined && tool_call_id === undefined;
}

/** Some clients write every field into every message, and leave them empty. */
function isThere(value: unknown): boolean {
  if (value === undefined || value === null || value === "") return false;
  return !(Array.isArray(value) && value.length === 0);
}
