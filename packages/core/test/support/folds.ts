import { speaking } from "../../src/guard/by-phase.js";
import { flatten, type Guardrail } from "../../src/guard/define.js";
import { Deliberation } from "../../src/guard/deliberation.js";
import type { Phase } from "../../src/guard/read-decision.js";
import { deny, modify } from "../../src/guard/verdicts.js";
import type { ToolResult } from "../../src/protocol/guardrail.js";
import { type Asked, callOf, resultOf, scopeOn } from "./calls.js";
import { throws } from "./errors.js";

/** A deliberation that has begun; where all its guards answer at once, it has ended too. */
export function deliberation(
  guardrails: readonly Guardrail[],
  options: {
    phase?: Phase;
    run?: object;
    args?: object;
    toolName?: string;
    asked?: Asked;
    result?: ToolResult;
  } = {},
): { folding: Deliberation; pending: Promise<void> | undefined } {
  const { phase = "call", run, args = {}, toolName = "send_mail", result = resultOf() } = options;
  const { scope } = options.asked ?? scopeOn();
  const guards = speaking(flatten(guardrails), phase, toolName);
  const folding = new Deliberation(guards, phase, callOf(args, { scope, run, toolName }), result);
  return { folding, pending: folding.run() };
}

/** A deliberation that has ended. */
export async function folded(...given: Parameters<typeof deliberation>): Promise<Deliberation> {
  const { folding, pending } = deliberation(...given);
  await pending;
  return folding;
}

/** Everything a guard can do that stops or changes a call. */
export const stops: readonly (readonly [string, () => unknown, string])[] = [
  ["denies", () => deny("no", { code: "c" }), "policy"],
  ["denies by a promise", async () => deny("no"), "policy"],
  ["throws", throws, "error"],
  ["rejects", async () => throws(), "error"],
  ["gives no decision", () => true, "malformed"],
  ["promises no decision", async () => "allow", "malformed"],
  ["modifies to what is no JSON", () => modify({ at: new Date(0) }), "malformed"],
];
