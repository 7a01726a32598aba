import type { InspectedGuardFile, OptionPlace } from "@toolstile/config";
import { type JsonObject, toolResult } from "@toolstile/core";
import { parseArguments } from "@toolstile/core/provider";
import type { Effect, SampleResult } from "@toolstile/rules/analysis";
import type { PolicyRunner } from "../policy/policy-runner.js";
import { rulesGuardsOf } from "../policy/rule-places.js";
import type { Ruling, Verdict } from "../policy/ruling.js";
import type { SampleCall } from "./sample-call.js";
import type { SampleClock } from "./sample-time.js";

/** A rule, and where it stands. */
export interface PlacedRule extends Partial<OptionPlace> {
  readonly id: string;
}

/** The guards' answer to a sample call. */
export interface TriedCall {
  readonly from: string;
  readonly tool: string;
  readonly agent: string | undefined;
  /** The time at which rules were asked. */
  readonly at: string;
  readonly verdict: Verdict;
  /** All that guards said beside allowing it, with what decided first. */
  readonly rulings: readonly (Omit<Ruling, "rules"> & { readonly rules: readonly PlacedRule[] })[];
  /** The rules about the tool that apply to the call as it was given. "maybe": that cannot be told, and so they apply. */
  readonly applies: readonly {
    readonly guard: string;
    readonly id: string;
    readonly effect: Effect;
    readonly applies: "yes" | "maybe";
  }[];
  readonly expect: readonly Verdict[] | undefined;
  readonly by: string | undefined;
  /** False if another verdict or another rule was expected. */
  readonly isExpected: boolean;
}

/** Puts sample calls before the guards, one after the other. A call that they let pass counts as run. */
export async function tryCalls(
  calls: readonly SampleCall[],
  file: InspectedGuardFile,
  runner: PolicyRunner,
  clock: SampleClock,
): Promise<readonly TriedCall[]> {
  const tried: TriedCall[] = [];
  for (const [index, call] of calls.entries()) {
    clock.set(call.at);
    // One time for all that is said of a call.
    const at = clock.now();
    clock.set(at);
    tried.push(await tryCall({ ...call, at }, index, file, runner));
  }
  return tried;
}

async function tryCall(
  call: SampleCall & { readonly at: number },
  index: number,
  file: InspectedGuardFile,
  runner: PolicyRunner,
): Promise<TriedCall> {
  const { from, name, agent, context, result, at, expect, by } = call;
  const callId = `sample-${index + 1}`;
  const answer = await runner.open(
    { name, arguments: call.arguments, callId },
    { agentName: agent, context },
  );
  const outcome = answer.outcome ?? (await answer.opened.close(endOf(callId, name, result)));
  const rulings = runner.rulingsOf(outcome).map((ruling) => ({
    ...ruling,
    rules: ruling.rules.map((id) => ({ id, ...runner.places.of(ruling.guard, id) })),
  }));
  const first = rulings.find(({ shadow }) => !shadow);
  const verdict = first?.verdict ?? "allow";
  const deciders = first === undefined ? [] : [first.guard, ...first.rules.map(({ id }) => id)];
  return {
    from,
    tool: name,
    agent,
    at: new Date(at).toISOString(),
    verdict,
    rulings,
    applies: await applyingTo(call, file),
    expect,
    by,
    isExpected:
      (expect === undefined || expect.includes(verdict)) &&
      (by === undefined || deciders.includes(by)),
  };
}

function endOf(callId: string, name: string, result: SampleResult | undefined) {
  if (result === undefined) return { released: true } as const;
  return { value: toolResult({ callId, name, ...result }) };
}

async function applyingTo(
  call: SampleCall & { readonly at: number },
  { guards }: InspectedGuardFile,
): Promise<TriedCall["applies"]> {
  const parsed = parseArguments(call.arguments);
  const ofRules = rulesGuardsOf(guards);
  if (!parsed.ok || ofRules.length === 0) return [];
  const { explainCall } = await import("@toolstile/rules/analysis");
  const { name, agent, context, result, at } = call;
  return ofRules
    .filter(({ guard }) => covers(guard, name, agent))
    .flatMap(({ guard, options }) => {
      const { rules } = explainCall(
        { ...options, now: () => at },
        {
          toolName: name,
          args: parsed.args as JsonObject,
          agentName: agent,
          context,
          result,
        },
      );
      return rules.flatMap(({ id, effect, applies }) =>
        applies === "no" ? [] : { guard: guard.name, id, effect, applies },
      );
    });
}

function covers(
  { agent, covers }: InspectedGuardFile["guards"][number],
  tool: string,
  asker: string | undefined,
): boolean {
  return covers(tool) && (agent === undefined || asker === undefined || agent === asker);
}
