import type { JsonObject, RunOptions } from "@toolstile/core";
import { type CallerSignal, isObject, ownValue, parseArguments } from "@toolstile/core/provider";
import { checkLinkage, checkReceipts, type Receipts } from "@toolstile/result-linkage";
import { aborted } from "../aborted.js";
import type { ChatMessage } from "../chat/message.js";
import type { ToolResultSection } from "../config/model.js";
import type { ToolToggles } from "../config/toggles.js";
import type { Violation } from "../violation.js";
import { resultOf } from "./declared-tool.js";
import { type AnsweredCall, answeredCalls, hasResults } from "./exchange.js";
import { findingKey, type KeptFindings } from "./kept-findings.js";
import type { JudgeTool, PerToolGuard } from "./per-tool-guard.js";
import type { PerToolRail } from "./per-tool-rail.js";
import type { ResultContents, ResultsVerdict } from "./result-contents.js";
import {
  type ContentViolation,
  linkageViolation,
  perToolViolation,
  placedViolation,
  resultFlow,
} from "./result-violation.js";
import type { Toolset } from "./toolset.js";

/**
 * The guards between what the application sends back and the model: the flow
 * `tool result validation`, then mounted judges, then the rails of the called tool.
 */
export function resultRail(
  section: ToolResultSection,
  contents: ResultContents,
  perTool: PerToolGuard,
  kept: KeptFindings,
  receipts: Receipts | undefined,
) {
  const ownSchemas = Object.entries(section.schemas).map(([name, schema]) =>
    resultOf(name, schema),
  );

  /** Finds malformed messages, whichever guards are active. It does not wait if only the structure is judged. */
  function judge(
    messages: readonly ChatMessage[],
    toolset: Toolset,
    active: ToolToggles,
    options: RunOptions,
    ask: JudgeTool,
  ): ResultsVerdict | Promise<ResultsVerdict> {
    const violations = structure(messages, active, options);
    const untouched: ResultsVerdict = { messages, modifiedBy: undefined, violations };
    if (violations.length > 0 || !hasResults(messages)) return untouched;
    const judges = contents.named(active.providers);
    const schemas = active.flow ? [...ownSchemas, ...toolset.resultDeclarations] : [];
    const judged =
      judges.length === 0 && schemas.length === 0
        ? untouched
        : contents.judge(messages, schemas, judges, options);
    return active.perTool.length === 0
      ? judged
      : judgePerTool(judged, active.perTool, options, ask);
  }

  async function judgePerTool(
    judged: ResultsVerdict | Promise<ResultsVerdict>,
    active: readonly string[],
    { signal }: RunOptions,
    ask: JudgeTool,
  ): Promise<ResultsVerdict> {
    const verdict = await judged;
    if (verdict.violations.length > 0) return verdict;
    const judgeOne = async (answered: AnsweredCall): Promise<readonly Violation[]> => {
      const rails = perTool.of(answered.calledName ?? "", active);
      if (rails.length === 0) return [];
      const found = await foundByTool(rails, answered, signal, ask);
      const { calledName: name } = answered;
      return found === undefined ? [] : [placedViolation(found, { ...answered, name })];
    };
    const answered = answeredCalls(verdict.messages);
    const violations: Violation[] = [];
    if (perTool.parallel) {
      for (const each of (await Promise.all(answered.map(judgeOne))).flat()) violations.push(each);
    } else {
      for (const one of answered) for (const each of await judgeOne(one)) violations.push(each);
    }
    return { ...verdict, violations };
  }

  /** The rails of a tool are asked about a result once: what they decide is kept. */
  async function foundByTool(
    rails: readonly PerToolRail[],
    answered: AnsweredCall,
    signal: CallerSignal | undefined,
    ask: JudgeTool,
  ): Promise<ContentViolation | undefined> {
    const { calledName: tool = "", arguments: text, result } = answered;
    const content = result.content ?? null;
    const flows = rails.map(({ flow }) => flow);
    const key = findingKey("per_tool", flows, answered, content, undefined);
    const { violation } = await kept.found(key, async () => {
      const subject = { tool, args: argumentsIn(text), content, signal };
      const found = await perTool.judge(rails, subject, ask);
      if (signal?.aborted === true) throw aborted(signal);
      const isDecided = found?.verdict.basis !== "error";
      const unchanged = { content: undefined, modifiedBy: undefined };
      return { violation: found && perToolViolation(found), ...unchanged, isDecided };
    });
    return violation;
  }

  /** A message that no rail can read is malformed, also if no rail judges results. */
  function structure(
    messages: readonly ChatMessage[],
    active: ToolToggles,
    { context }: RunOptions,
  ): readonly Violation[] {
    const { requireAll, requireName, provenance } = section;
    const findings = checkLinkage(messages, {
      requireNames: requireName,
      requireAnswers: requireAll,
      content: "objects",
    }).filter((finding) => {
      switch (finding.code) {
        // Calls without ids have no results: nothing can answer them.
        case "missing_call_id":
          return finding.callIndex === undefined;
        case "missing_name":
          return finding.toolName !== undefined;
        case "unanswered_call":
          return requireAll && ownValue(messages[finding.index + 1], "role") === "tool";
        // A call without a name is linked by its id. A value that is not a call is not linked.
        case "malformed_calls":
          return !isObject(entryAt(messages[finding.index], finding.callIndex));
        case "duplicate_call_id":
          return hasResults(messages);
        default:
          return true;
      }
    });
    const violations = findings.flatMap((finding) => linkageViolation(finding, active) ?? []);
    if (
      !active.flow ||
      violations.length > 0 ||
      receipts === undefined ||
      provenance !== "required"
    ) {
      return violations;
    }
    return checkReceipts(messages, receipts, { context }).map(
      ({ index, callId, toolName, reason }) => ({
        kind: "tool_result",
        violationType: "receipt_invalid",
        index,
        toolCallId: callId,
        toolName,
        reason,
        rail: resultFlow,
      }),
    );
  }

  const hasGuards = contents.hasJudges || perTool.names.length > 0;
  return { judge, hasGuards, close: contents.close };
}

function entryAt(message: unknown, callIndex: number | undefined): unknown {
  const calls = ownValue(message, "tool_calls");
  return Array.isArray(calls) && callIndex !== undefined ? calls[callIndex] : undefined;
}

/** The arguments of an answered call, if they are exactly one JSON object. */
function argumentsIn(text: unknown): JsonObject | undefined {
  const parsed = parseArguments(text);
  return parsed.ok ? parsed.args : undefined;
}
