import { Call } from "../call/head.js";
import { ToolstileError } from "../errors/error.js";
import { quoted } from "../errors/names.js";
import { JsonFault } from "../json/snapshot.js";
import type {
  Allow,
  Awaitable,
  CallEnd,
  Deny,
  GuardrailProvider,
  GuardrailResult,
  ResultDecision,
  SettledCall,
  ToolCall,
  ToolDefinition,
  ToolResult,
} from "../protocol/guardrail.js";
import { ignoreRejection, isThenable } from "../time/wait.js";
import { covering } from "./by-phase.js";
import { flatten, type Guardrail, givenName, remember } from "./define.js";
import { Deliberation } from "./deliberation.js";
import type { Guard, GuardFacts } from "./guard.js";
import { Checked, type Denial, type Phase } from "./read-decision.js";
import { allow, deny, modify, rewrite } from "./verdicts.js";

/**
 * Runs guardrails in order as one provider.
 *
 * A DENY stops the chain. After a MODIFY the others are asked again, until all
 * are satisfied with the same arguments. A guardrail that throws, or answers
 * anything but a decision, denies: no setting opens a chain. Inside a runner
 * or another chain it counts as if its guardrails had been written there.
 *
 * @throws ToolstileError for an empty list, and for two guardrails of one name.
 */
export function chain(
  guardrails: readonly Guardrail[],
  options: { readonly name?: string } = {},
): GuardrailProvider {
  const guards = flatten(guardrails, "chain()");
  const name = givenName("chain()", options);
  if (guards.length === 0) {
    throw new ToolstileError(
      "ERR_INVALID_OPTION",
      "A chain needs at least one guardrail. To allow everything, say so with allowAll().",
    );
  }
  return composed(name ?? `chain(${names(guards)})`, guards);
}

/** Joins the names of some guards, to name a provider that is made of them. */
export function names(guards: readonly Guard[]): string {
  return guards.map(({ facts }) => facts.name).join(", ");
}

/** Makes one provider of guards. It is as good as any other, and chains can take it apart again. */
export function composed(name: string, guards: readonly Guard[]): GuardrailProvider {
  const { tools, checksArguments, judgesPieces, register, settle, close } = gathered(guards);
  const ofCall = guards.filter((guard) => guard.answers("call"));
  const ofAdmit = guards.filter((guard) => guard.answers("admit"));
  const ofResult = guards.filter((guard) => guard.answers("result"));
  const provider: GuardrailProvider = {
    name,
    evaluate: (call) => decided(ofCall, "call", call, undefined, callDecision),
    admit:
      ofAdmit.length > 0
        ? (call) => decided(ofAdmit, "admit", call, undefined, admission)
        : undefined,
    evaluateResult:
      ofResult.length > 0
        ? (call, result) => decided(ofResult, "result", call, result, resultDecision)
        : undefined,
    settle,
    register,
    tools,
    checksArguments,
    judgesPieces,
    // The guards have deadlines of their own.
    timeoutMs: Number.POSITIVE_INFINITY,
    close,
  };
  return remember(provider, guards);
}

/** Notifies all guards, even if one throws or hangs: each may have something to give back. @throws the first error. */
export async function tellAll(
  guards: readonly Guard[],
  tell: (facts: GuardFacts) => Awaitable<void> | undefined,
): Promise<void> {
  const errors: unknown[] = [];
  const told = guards.map(async ({ facts }) => {
    try {
      await tell(facts);
    } catch (error) {
      errors.push(error);
    }
  });
  for (const each of told) await each;
  if (errors.length > 0) throw errors[0];
}

/**
 * Tells a guard of a tool.
 *
 * @throws the error with which the guard refuses the tool; ToolstileError
 *   `ERR_INVALID_PROVIDER` for a promise, which would refuse too late.
 */
export function register({ facts }: Guard, tool: ToolDefinition): void {
  const answer: unknown = facts.register?.(tool);
  if (!isThenable(answer)) return;
  ignoreRejection(answer);
  throw new ToolstileError(
    "ERR_INVALID_PROVIDER",
    `Guardrail ${quoted(facts.name)}: \`register\` must answer at once, received a promise.`,
  );
}

/** Tells the guards that cover the call's tool how it ended. */
function settleAll(guards: readonly Guard[], call: SettledCall, outcome: CallEnd): Promise<void> {
  return tellAll(covering(guards, call.toolName), (facts) => facts.settle?.(call, outcome));
}

/** Lets the guards that answer in a phase deliberate, and gives the decision in the protocol's words. */
function decided<Decision>(
  all: readonly Guard[],
  phase: Phase,
  given: ToolCall,
  result: ToolResult | undefined,
  decision: (deliberation: Deliberation) => Decision,
): Awaitable<Decision> {
  const call = readable(given);
  const guards = covering(all, call.toolName);
  const deliberation = new Deliberation(guards, phase, call, result);
  const finish = (): Decision => {
    if (Call.scopeOf(call).aborted) deliberation.denial ??= givenUp;
    // The scope of a call that core did not make was made here.
    if (call !== given) Call.scopeOf(call).release();
    return decision(deliberation);
  };
  const pending = deliberation.run();
  return pending === undefined ? finish() : pending.then(finish);
}

/** @throws ToolstileError `ERR_NOT_JSON` for a call whose arguments are not JSON. No runner makes one. */
function readable(given: ToolCall): Call {
  try {
    return Call.of(given);
  } catch (fault) {
    if (!(fault instanceof JsonFault)) throw fault;
    throw new ToolstileError(
      "ERR_NOT_JSON",
      `The arguments of a call are not JSON: ${fault.reason}.`,
    );
  }
}

const givenUp = new Checked("deny", "error", { reason: "the caller gave up" });

function denial(checked: Denial): Deny {
  return deny(checked.reason, {
    ...(checked.code !== undefined && { code: checked.code }),
    ...(checked.replacement !== undefined && { replacement: checked.replacement }),
    ...(checked.approval !== undefined && { approval: checked.approval }),
    ...(checked.metadata !== undefined && { metadata: checked.metadata }),
  });
}

function callDecision(deliberation: Deliberation): GuardrailResult {
  if (deliberation.denial !== undefined) return denial(deliberation.denial);
  return deliberation.modifiedBy.length === 0
    ? allow()
    : modify(deliberation.call.args, changes(deliberation));
}

function admission(deliberation: Deliberation): Allow | Deny {
  return deliberation.denial === undefined ? allow() : denial(deliberation.denial);
}

function resultDecision(deliberation: Deliberation): ResultDecision {
  if (deliberation.denial !== undefined) return denial(deliberation.denial) as ResultDecision;
  if (deliberation.modifiedBy.length === 0) return allow();
  const { content, structured } = deliberation.result as ToolResult;
  return rewrite({ content, structured }, changes(deliberation));
}

function changes(deliberation: Deliberation): { reason: string } {
  const reasons = deliberation.records
    .filter(({ decision }) => decision === "modify")
    .map(({ provider, reason }) => (reason === undefined ? provider : `${provider}: ${reason}`));
  return { reason: reasons.join("; ") };
}

/** Joins the facts of several guards, for one guard that is made of them. */
export function gathered(inner: readonly Guard[]): GuardFacts {
  const settlers = inner.filter(({ facts }) => facts.settle !== undefined);
  return {
    name: names(inner),
    counts: inner.some(({ facts }) => facts.counts),
    only: [],
    when: [],
    tools: inner.flatMap(({ facts }) => facts.tools),
    checksArguments: (tool) => inner.some((guard) => guard.checksArguments(tool)),
    judgesPieces: (tool) => inner.some((guard) => guard.judgesPieces(tool)),
    register: (tool) => {
      for (const guard of inner) if (guard.covers(tool.name)) register(guard, tool);
    },
    settle: settlers.length === 0 ? undefined : (...end) => settleAll(settlers, ...end),
    close: () => tellAll(inner, (facts) => facts.close?.()),
  };
}
