import type { CallContext, JsonObject, ToolCall, ToolContent, ToolResult } from "@toolstile/core";
import { LastCalls } from "../counting/repeats.js";
import { changeGuard } from "../rules/change-guard.js";
import { appliesToCall, decide } from "../rules/decide.js";
import { resultGuard } from "../rules/result-guard.js";
import type { Applies, Effect, Rule } from "../rules/rule.js";
import { RuleIndex } from "../rules/rule-index.js";
import { type RulesOptions, readRules } from "../rules/rules.js";

/** A call to try rules with, and its result if they are to be tried too. */
export interface SampleCall {
  readonly toolName: string;
  readonly args?: JsonObject | undefined;
  readonly agentName?: string | undefined;
  readonly context?: CallContext | undefined;
  readonly result?: SampleResult | undefined;
}

export interface SampleResult {
  readonly content: ToolContent;
  readonly structured?: ToolResult["structured"];
  readonly isError?: boolean | undefined;
}

/** The decision of the rules on a sample, and the answer of each rule. */
export interface Explanation {
  readonly decision: "allow" | "deny" | "ask" | "change" | "withhold" | "cut";
  /** The rules that decided. */
  readonly decidedBy: readonly string[];
  readonly reason?: string | undefined;
  /** The arguments after all changes. */
  readonly args: JsonObject;
  /** Every rule about the tool, in order. "maybe": it could not be told, and so the rule applies. */
  readonly rules: readonly {
    readonly id: string;
    readonly effect: Effect;
    readonly applies: Applies;
  }[];
}

/**
 * Says which rule decides on a sample call, as if no call had been counted before.
 *
 * @throws ToolstileError for options that `rules()` refuses.
 */
export function explainCall(options: RulesOptions, sample: SampleCall): Explanation {
  const { rules, now } = readRules(options);
  const index = new RuleIndex(rules);
  const own = index.of(sample.toolName);
  const last = new LastCalls();
  const call = callOf(sample);
  const change = changeGuard(index, now).evaluate(call) as Answer;
  const changed = change.modifiedArgs === undefined ? call : { ...call, args: change.modifiedArgs };
  const result = sample.result && resultOf(sample, sample.result);
  const facts = { call: changed, result, now };
  const said = own.all.map((rule) => {
    // A change is tried on the arguments as they were.
    const on = { ...facts, call: rule.effect === "change" ? call : changed };
    return { id: rule.id, effect: rule.effect, applies: appliesIn(rule, on, last) };
  });
  const common = { args: changed.args, rules: said };
  if (change.decision === "deny") return { ...common, ...decidedBy(change, "deny") };
  const answer = decide(own, facts, last) as Answer;
  if (answer.decision === "deny") {
    return { ...common, ...decidedBy(answer, answer.approval === undefined ? "deny" : "ask") };
  }
  if (result !== undefined) {
    const judged = resultGuard(index, now).evaluateResult(changed, result) as Answer;
    if (judged.decision === "deny") return { ...common, ...decidedBy(judged, "withhold") };
    if (judged.decision === "modify") return { ...common, ...decidedBy(judged, "cut") };
  }
  if (change.decision === "modify") return { ...common, ...decidedBy(change, "change") };
  return { ...common, decision: "allow", decidedBy: [] };
}

interface Answer {
  readonly decision: "allow" | "deny" | "modify";
  readonly reason?: string;
  readonly approval?: object;
  readonly modifiedArgs?: JsonObject;
  readonly metadata?: { readonly rule?: string; readonly rules?: readonly string[] };
}

function decidedBy(
  { reason, metadata }: Answer,
  decision: Explanation["decision"],
): Pick<Explanation, "decision" | "decidedBy" | "reason"> {
  const ids = metadata?.rules ?? (metadata?.rule === undefined ? [] : [metadata.rule]);
  return { decision, decidedBy: ids, reason };
}

/** A rule on results does not apply where there is none. */
function appliesIn(
  rule: Rule,
  facts: Parameters<typeof appliesToCall>[1],
  last: LastCalls,
): Applies {
  const isOfResults = rule.effect === "withhold" || rule.effect === "cut";
  return isOfResults && facts.result === undefined ? "no" : appliesToCall(rule, facts, last);
}

function callOf({ toolName, args = {}, agentName, context = {} }: SampleCall): ToolCall {
  return {
    run: {},
    runId: "sample",
    callId: "sample",
    toolName,
    requestedName: toolName,
    agentName,
    context,
    args,
    signal: new AbortController().signal,
  };
}

function resultOf(
  { toolName }: SampleCall,
  { content, structured, isError = false }: SampleResult,
): ToolResult {
  return {
    callId: "sample",
    name: toolName,
    isError,
    content,
    ...(structured !== undefined && { structured }),
  };
}
