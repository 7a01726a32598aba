import { quoted } from "../errors/names.js";
import { factNames } from "./host-facts.js";
import type { CallRequest } from "./request.js";

/** The right place of each value that people write under these names in a request, where it would be lost. */
const right: ReadonlyMap<string, string> = new Map([
  ["args", "arguments"],
  ["argument", "arguments"],
  ["argumets", "arguments"],
  ["function", "name and arguments"],
  ["input", "arguments"],
  ["parameters", "arguments"],
  ["params", "arguments"],
  ["callID", "callId"],
  ["call_id", "callId"],
  ["id", "callId"],
  ["toolCallId", "callId"],
  ["tool_call_id", "callId"],
  ["toolName", "name"],
  ["tool_name", "name"],
  ...amongOptions(
    "agentName",
    "agent_name",
    "context",
    "repeatedId",
    "signal",
    "tools",
    "turnId",
    "turn_id",
  ),
  ...inContext(...factNames, "session_id"),
]);

function amongOptions(...names: readonly string[]): readonly (readonly [string, string])[] {
  return names.map((name) => [name, "it among the options of the call"]);
}

function inContext(...names: readonly string[]): readonly (readonly [string, string])[] {
  return names.map((name) => [name, "it in the context of the options"]);
}

/** Says what is wrong with a request that has a member which core does not read. */
export function unknownMember(request: CallRequest): string | undefined {
  for (const key in request) {
    const place = right.get(key);
    if (place !== undefined && Object.hasOwn(request, key)) {
      return `the call was asked for with ${quoted(key)}, which nobody reads: it takes ${place}`;
    }
  }
  return undefined;
}
