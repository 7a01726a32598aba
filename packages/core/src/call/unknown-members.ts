import { quoted } from "../errors/names.js";
import { isFact } from "./host-facts.js";
import type { CallRequest } from "./request.js";

/** The names that people write in place of a call's own members. Arguments under another name would be lost. */
const meant: ReadonlyMap<string, string> = new Map([
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
]);

/** The names of what the host states beside the request. In it they would be lost. */
const ofOptions: readonly string[] = [
  "agentName",
  "agent_name",
  "context",
  "repeatedId",
  "signal",
  "tools",
  "turnId",
  "turn_id",
];

/** Says what is wrong with a request that has a member which core does not read. */
export function unknownMember(request: CallRequest): string | undefined {
  for (const key in request) {
    if (isMember(key) || !Object.hasOwn(request, key)) continue;
    const right = meant.get(key) ?? placeOf(key);
    if (right !== undefined) {
      return `the call was asked for with ${quoted(key)}, which nobody reads: it takes ${right}`;
    }
  }
  return undefined;
}

/** Says where a fact of the host's goes; nothing of any other name. */
function placeOf(key: string): string | undefined {
  if (ofOptions.includes(key)) return "it among the options of the call";
  return isFact(key) || key === "session_id" ? "it in the context of the options" : undefined;
}

function isMember(key: string): boolean {
  return key === "name" || key === "arguments" || key === "callId" || key === "receipt";
}
