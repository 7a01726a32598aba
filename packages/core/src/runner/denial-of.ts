import type { Call } from "../call/head.js";
import { hostFacts } from "../call/host-facts.js";
import type { RunOptions } from "../call/request.js";
import { Unreadable } from "../call/unreadable.js";
import { quoted } from "../errors/names.js";
import { asksForApproval } from "../guard/grants.js";
import type { Guard } from "../guard/guard.js";
import type { Denial } from "../guard/read-decision.js";
import { own } from "../json/own.js";
import type { Stopped } from "../protocol/outcome.js";
import type { RunnerContext } from "../run/run.js";
import { type Foreseen, foreseenCall, Unseen } from "./foreseen-call.js";

/** The agent that would call, and the host's facts. */
export type DenialOfOptions = Pick<RunOptions, "agentName" | "context">;

/** Guards that answered with a promise. They may ask a paid service, and are not asked again before a call. */
const slow = new WeakSet<Guard>();

/**
 * Returns what gives the denial that a call of a tool would get with any arguments;
 * undefined if that depends on the arguments.
 *
 * Guards are asked about a call that has not been made. To read its arguments, its
 * id, its turn, its receipt, its signal or the id of its run throws: only a denial
 * by a guard that did not try counts. A guard with `admit` or `settle` may deny now
 * and allow later; it is not asked.
 */
export function denials(
  options: DenialOfOptions,
  { tools, resolve, agentName: ownAgent }: Pick<RunnerContext, "tools" | "resolve" | "agentName">,
): (requestedName: string) => Stopped | undefined {
  const context = hostFacts(own(options, "context"));
  const agentName = own(options, "agentName") ?? ownAgent;
  return (requestedName) => {
    const toolName = resolve(requestedName);
    const { registry } = tools;
    const tool = registry.get(toolName);
    if (tool?.refusedBy !== undefined) {
      const reason = `tool ${quoted(toolName)} was refused when it was declared: ${tool.refusal}`;
      return { basis: "policy", decidedBy: tool.refusedBy, code: "tool_refused", reason };
    }
    if (typeof context === "string" || context instanceof Unreadable) return undefined;
    const { call: guards } = tool?.guards ?? registry.guardsOf(toolName);
    const definition = tool?.definition;
    return denialBy(guards, { toolName, requestedName, tool: definition, agentName, context });
  };
}

function denialBy(guards: readonly Guard[], call: Foreseen): Stopped | undefined {
  const unseen = new Unseen();
  const question = foreseenCall(call, unseen);
  let mayBeJudged = false;
  for (const guard of guards) {
    if (!guard.facts.counts) continue;
    const answer = asked(guard, question, unseen);
    if (answer === "applies not") continue;
    mayBeJudged = true;
    if (answer !== "cannot tell") return stopped(answer, guard);
  }
  if (mayBeJudged) return undefined;
  const reason = `no guardrail judged tool ${quoted(call.toolName)}; add one that does, or allowAll()`;
  return { basis: "no_provider", decidedBy: "core", code: "no_provider", reason };
}

function stopped({ decidedBy, code, reason }: Denial, { facts }: Guard): Stopped {
  return {
    basis: "policy",
    decidedBy: decidedBy ?? facts.name,
    code,
    reason,
  };
}

function asked(
  guard: Guard,
  question: Call,
  unseen: Unseen,
): Denial | "applies not" | "cannot tell" {
  unseen.seen = false;
  try {
    const applies = guard.hasSay(question);
    if (unseen.seen) return "cannot tell";
    if (applies === false) return "applies not";
    if (applies !== true || changes(guard) || slow.has(guard)) return "cannot tell";
    const answer = guard.answer("call", question);
    if (answer instanceof Promise) {
      slow.add(guard);
      return "cannot tell";
    }
    const denies = answer?.decision === "deny" && answer.basis === "policy";
    return denies && !unseen.seen && !asksForApproval(answer) ? answer : "cannot tell";
  } catch {
    // The error comes from the code that joins several guards, which lacks the arguments.
    return "cannot tell";
  }
}

/** True if its answer depends on earlier calls. */
function changes(guard: Guard): boolean {
  return guard.answers("admit") || guard.facts.settle !== undefined;
}
