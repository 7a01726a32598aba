import { quoted } from "@toolstile/core/provider";
import type { AskedCall } from "../chat/message.js";
import type { RailsConfigData } from "../config/model.js";
import { declarationFor } from "../tool-rails/tool-policy.js";
import type { Toolsets } from "../tool-rails/toolset.js";
import { about, type Violation } from "../violation.js";
import type { Caller } from "./caller.js";
import type { ReadRequest } from "./request.js";
import type { Turn } from "./turn.js";

/** A request that is one call, of a tool that the policy declares. */
export function requestOfCall(
  { name = "" }: AskedCall,
  caller: Caller,
  { hooksServer }: Pick<RailsConfigData, "hooksServer">,
  toolsets: Toolsets,
): ReadRequest {
  return {
    ...caller,
    messages: [],
    places: undefined,
    evidence: [],
    parameters: {},
    toolset: toolsets.of([declarationFor(name, hooksServer)], true),
    hasTools: true,
    options: undefined,
  };
}

/**
 * Decides on a call that an agent is about to run by itself. Without a violation it is recorded as
 * handed out.
 *
 * The agent runs the call as it is: one that a guard changed does not leave.
 */
export async function decideCall(turn: Turn, call: AskedCall): Promise<readonly Violation[]> {
  const decided = await turn.decideCalls({ calls: [call] });
  try {
    if (decided.violations.length > 0) return decided.violations;
    if (decided.calls.some(({ modified }) => modified)) {
      const { id, name = "" } = call;
      const rail = decided.modifiedBy ?? "";
      const reason = `${quoted(rail)} changed the arguments of tool call ${quoted(name)}, and a hook cannot hand them on`;
      const violationType = "per_tool_rail";
      return [{ ...about("tool_call", 0, id, name), violationType, reason, rail }];
    }
    return await decided.release();
  } finally {
    await decided.drop();
  }
}
