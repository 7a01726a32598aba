import { Fold } from "../../src/fold.js";
import type { Phase } from "../../src/judgement.js";
import type { ToolResult } from "../../src/protocol.js";
import { flatten, type Guardrail } from "../../src/provider.js";
import { deny, modify } from "../../src/verdict.js";
import { type Asked, callOf, resultOf, scopeOn } from "./calls.js";
import { throws } from "./errors.js";

/** A fold that has begun; where all its guards answer at once, it has ended too. */
export function fold(
  guardrails: readonly Guardrail[],
  options: {
    phase?: Phase;
    run?: object;
    args?: object;
    toolName?: string;
    asked?: Asked;
    result?: ToolResult;
  } = {},
): { folding: Fold; pending: Promise<void> | undefined } {
  const { phase = "call", run, args = {}, toolName = "send_mail", result = resultOf() } = options;
  const { scope } = options.asked ?? scopeOn();
  const links = flatten(guardrails).filter((link) => link.answers(phase));
  const folding = new Fold(links, phase, callOf(args, { scope, run, toolName }), result);
  return { folding, pending: folding.run() };
}

/** A fold that has ended. */
export async function folded(...given: Parameters<typeof fold>): Promise<Fold> {
  const { folding, pending } = fold(...given);
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
