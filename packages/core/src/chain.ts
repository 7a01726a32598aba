import { Call } from "./call.js";
import { ToolstileError } from "./errors.js";
import { Fold } from "./fold.js";
import { JsonFault } from "./json.js";
import { Judgement, type Phase } from "./judgement.js";
import { type Link, type LinkFacts, register } from "./link.js";
import type {
  Allow,
  Awaitable,
  Deny,
  GuardrailProvider,
  GuardrailResult,
  ResultDecision,
  ToolCall,
  ToolResult,
} from "./protocol.js";
import { flatten, type Guardrail, givenName, remember } from "./provider.js";
import { allow, deny, modify, rewrite } from "./verdict.js";

/**
 * Run guardrails in order as one provider.
 *
 * A DENY stops the chain. After a MODIFY the others are asked again, until all
 * are content with the same arguments. A guardrail that throws, or answers
 * anything but a decision, denies: no setting opens a chain. Inside a runner
 * or another chain it counts as if its guardrails had been written there.
 *
 * @throws ToolstileError for an empty list, and for two guardrails of one name.
 */
export function chain(
  guardrails: readonly Guardrail[],
  options: { readonly name?: string } = {},
): GuardrailProvider {
  const name = givenName("chain()", options);
  const links = flatten(guardrails);
  if (links.length === 0) {
    throw new ToolstileError(
      "ERR_INVALID_OPTION",
      "A chain needs at least one guardrail. To allow everything, say so with allowAll().",
    );
  }
  return composed(name ?? `chain(${names(links)})`, links);
}

/** The names of some links, to name what is made of them. */
export function names(links: readonly Link[]): string {
  return links.map(({ facts }) => facts.name).join(", ");
}

/** One provider made of links, as good as any other, that chains can take apart again. */
export function composed(name: string, links: readonly Link[]): GuardrailProvider {
  const answering = (phase: Phase): readonly Link[] => links.filter((link) => link.answers(phase));
  const deciders = answering("call");
  const admitters = answering("admit");
  const judges = answering("result");
  const settlers = links.filter(({ facts }) => facts.settle !== undefined);
  const provider: GuardrailProvider = {
    name,
    evaluate: (call) => decided(deciders, "call", call, undefined, callDecision),
    admit:
      admitters.length > 0
        ? (call) => decided(admitters, "admit", call, undefined, admission)
        : undefined,
    evaluateResult:
      judges.length > 0
        ? (call, result) => decided(judges, "result", call, result, resultDecision)
        : undefined,
    settle:
      settlers.length === 0
        ? undefined
        : (call, outcome) => tellAll(settlers, (facts) => facts.settle?.(call, outcome)),
    register: (tool) => {
      for (const link of links) if (link.covers(tool.name)) register(link, tool);
    },
    tools: links.flatMap(({ facts }) => facts.tools),
    checksArguments: (tool) => links.some((link) => link.checksArguments(tool)),
    // The links have deadlines of their own.
    timeoutMs: Number.POSITIVE_INFINITY,
    close: () => tellAll(links, (facts) => facts.close?.()),
  };
  return remember(provider, links);
}

/** Tell all links, also when one throws or hangs: each has something to give back. @throws the first error. */
export async function tellAll(
  links: readonly Link[],
  tell: (facts: LinkFacts) => Awaitable<void> | undefined,
): Promise<void> {
  const errors: unknown[] = [];
  const told = links.map(async ({ facts }) => {
    try {
      await tell(facts);
    } catch (error) {
      errors.push(error);
    }
  });
  for (const each of told) await each;
  if (errors.length > 0) throw errors[0];
}

/** Fold, and say the decision in the protocol's words. */
function decided<Decision>(
  links: readonly Link[],
  phase: Phase,
  given: ToolCall,
  result: ToolResult | undefined,
  decision: (fold: Fold) => Decision,
): Awaitable<Decision> {
  const call = readable(given);
  const fold = new Fold(links, phase, call, result);
  const finish = (): Decision => {
    if (Call.scopeOf(call).caller?.aborted === true) fold.denial ??= givenUp;
    // The scope of a call that core did not make was made here.
    if (call !== given) Call.scopeOf(call).release();
    return decision(fold);
  };
  const pending = fold.run();
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

const givenUp = new Judgement("deny", "error", { reason: "the caller gave up", decidedBy: "core" });

function denial(judgement: Judgement): Deny {
  return deny(judgement.reason ?? "policy violation", {
    ...(judgement.code !== undefined && { code: judgement.code }),
    ...(judgement.replacement !== undefined && { replacement: judgement.replacement }),
    ...(judgement.approval !== undefined && { approval: judgement.approval }),
    ...(judgement.metadata !== undefined && { metadata: judgement.metadata }),
  });
}

function callDecision(fold: Fold): GuardrailResult {
  if (fold.denial !== undefined) return denial(fold.denial);
  return fold.modifiedBy.length === 0 ? allow() : modify(fold.call.args, changes(fold));
}

function admission(fold: Fold): Allow | Deny {
  return fold.denial === undefined ? allow() : denial(fold.denial);
}

function resultDecision(fold: Fold): ResultDecision {
  if (fold.denial !== undefined) return denial(fold.denial) as ResultDecision;
  if (fold.modifiedBy.length === 0) return allow();
  const { content, structured } = fold.result as ToolResult;
  return rewrite({ content, structured }, changes(fold));
}

function changes(fold: Fold): { reason: string } {
  const reasons = fold.records
    .filter(({ decision }) => decision === "modify")
    .map(({ provider, reason }) => (reason === undefined ? provider : `${provider}: ${reason}`));
  return { reason: reasons.join("; ") };
}
