import {
  allowAll,
  type ResultGuardrail,
  type RunOptions,
  type ToolDeclaration,
  type ToolOutcome,
  ToolRunner,
  type ToolRunnerOptions,
  toolResult,
} from "@toolstile/core";
import { checkLinkage, checkReceipts, type Receipts } from "@toolstile/result-linkage";
import { schemaValidation } from "@toolstile/schema";
import { aborted } from "../aborted.js";
import type { ChatMessage } from "../chat/message.js";
import type { ToolInputSection } from "../config/model.js";
import { own } from "../own-property.js";
import type { Violation } from "../violation.js";
import { resultOf } from "./declared-tool.js";
import { type AnsweredCall, answeredCalls, hasResults } from "./exchange.js";
import { asResultGuard } from "./mounted.js";
import {
  contentViolation,
  linkageViolation,
  resultFlow,
  resultSchemaGuard,
} from "./result-violation.js";
import { isSameJson } from "./same-json.js";
import type { Toolset } from "./toolset.js";

const mostRunners = 64;

/** Which of the guards on results are asked for one request. */
export interface ActiveResultGuards {
  /** The flow `tool result validation`. */
  readonly flow: boolean;
  readonly providers: readonly string[];
}

/** What was found of the results in a conversation. */
export interface ResultsVerdict {
  /** The conversation with the results that guards rewrote. */
  readonly messages: readonly ChatMessage[];
  /** The judge that last changed a result. */
  readonly modifiedBy: string | undefined;
  readonly violations: readonly Violation[];
}

/** The guards between what the application sends back and the model: the flow `tool result validation`, then mounted judges. */
export class ResultRail {
  readonly #section: ToolInputSection;
  readonly #guards: readonly ResultGuardrail[];
  readonly #receipts: Receipts | undefined;
  readonly #options: Omit<ToolRunnerOptions, "guardrails">;
  readonly #schemas: readonly ToolDeclaration[];
  readonly #schemaGuard = asResultGuard(schemaValidation({ name: resultSchemaGuard }));
  readonly #runners = new Map<string, ToolRunner>();
  readonly #all: ToolRunner;

  constructor(
    section: ToolInputSection,
    guards: readonly ResultGuardrail[],
    receipts: Receipts | undefined,
    options: Omit<ToolRunnerOptions, "guardrails">,
  ) {
    this.#section = section;
    this.#guards = guards;
    this.#receipts = receipts;
    this.#options = { ...options, unchecked: true };
    this.#schemas = Object.entries(section.schemas).map(([name, schema]) => resultOf(name, schema));
    this.#all = this.#runnerOf([this.#schemaGuard, ...guards]);
  }

  /** Nobody is waited for where only the linkage is to be judged. */
  judge(
    messages: readonly ChatMessage[],
    toolset: Toolset,
    active: ActiveResultGuards,
    options: RunOptions,
  ): ResultsVerdict | Promise<ResultsVerdict> {
    const violations = active.flow ? this.#linkage(messages, options) : [];
    const untouched: ResultsVerdict = { messages, modifiedBy: undefined, violations };
    if (violations.length > 0 || !hasResults(messages)) return untouched;
    const guards = this.#guards.filter(({ name }) => active.providers.includes(name));
    const schemas = active.flow ? [...this.#schemas, ...toolset.resultDeclarations] : [];
    if (guards.length === 0 && schemas.length === 0) return untouched;
    return this.#judgeContents(messages, schemas, guards, options);
  }

  #linkage(messages: readonly ChatMessage[], { context }: RunOptions): readonly Violation[] {
    const { requireAll, requireName, provenance } = this.#section;
    const findings = checkLinkage(messages, {
      requireNames: requireName,
      requireAnswers: requireAll,
      content: "objects",
    }).filter((finding) => {
      switch (finding.code) {
        // Calls without ids are no results, and there is nothing to answer them.
        case "missing_call_id":
          return finding.callIndex === undefined;
        case "missing_name":
          return finding.toolName !== undefined;
        case "unanswered_call":
          return requireAll && own(messages[finding.index + 1], "role") === "tool";
        // A call without a name is linked by its id; what is no call at all is not.
        case "malformed_calls":
          return !isObject(entryAt(messages[finding.index], finding.callIndex));
        case "duplicate_call_id":
          return hasResults(messages);
        default:
          return true;
      }
    });
    const violations = findings.flatMap((finding) => linkageViolation(finding) ?? []);
    if (violations.length > 0 || this.#receipts === undefined || provenance !== "required") {
      return violations;
    }
    return checkReceipts(messages, this.#receipts, { context }).map(
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

  async #judgeContents(
    messages: readonly ChatMessage[],
    schemas: readonly ToolDeclaration[],
    guards: readonly ResultGuardrail[],
    options: RunOptions,
  ): Promise<ResultsVerdict> {
    const runner = this.#runner(guards);
    const violations: Violation[] = [];
    let modifiedBy: string | undefined;
    const rewritten = new Map<number, ChatMessage>();
    for (const answered of answeredCalls(messages)) {
      const { index, callId, name, result } = answered;
      const schema = schemas.find((declared) => declared.name === name);
      const content = result.content ?? "";
      const outcome = await this.#outcome(runner, answered, content, schema, options);
      if (options.signal?.aborted === true) throw aborted(options.signal);
      const violation = contentViolation(outcome, index, callId, name);
      if (violation !== undefined) violations.push(violation);
      else if (!isSameJson(content, outcome.result.content)) {
        modifiedBy = lastModifier(outcome) ?? modifiedBy;
        rewritten.set(index, { ...result, content: outcome.result.content });
      }
    }
    return {
      messages:
        rewritten.size === 0
          ? messages
          : messages.map((message, index) => rewritten.get(index) ?? message),
      modifiedBy,
      violations,
    };
  }

  async #outcome(
    runner: ToolRunner,
    { name = "", callId: said, arguments: text, receipt }: AnsweredCall,
    content: unknown,
    schema: ToolDeclaration | undefined,
    options: RunOptions,
  ) {
    const tools = [schema ?? { name }];
    const request = { name, callId: said, arguments: text, receipt };
    const opened = await runner.open(request, { ...options, tools });
    if (opened.outcome !== undefined) return opened.outcome;
    const structured = schema === undefined ? undefined : structuredIn(content, schema);
    // Only what is content at all can be judged; anything else fails to be read.
    const { callId } = opened.call;
    const claimed = { callId, name, content: content as string, structured: structured as string };
    return opened.close({ value: toolResult(claimed) });
  }

  #runner(guards: readonly ResultGuardrail[]): ToolRunner {
    if (guards.length === this.#guards.length) return this.#all;
    const key = JSON.stringify(guards.map(({ name }) => name));
    const known = this.#runners.get(key);
    if (known !== undefined) return known;
    const runner = this.#runnerOf([this.#schemaGuard, ...guards]);
    if (this.#runners.size >= mostRunners) this.#runners.clear();
    this.#runners.set(key, runner);
    return runner;
  }

  #runnerOf(guards: readonly ResultGuardrail[]): ToolRunner {
    return new ToolRunner({
      ...this.#options,
      // Their calls were judged when they were handed out.
      guardrails: [allowAll(), ...guards],
    });
  }

  get hasGuards(): boolean {
    return this.#guards.length > 0;
  }

  close(): Promise<void> {
    return this.#all.close();
  }
}

function entryAt(message: unknown, callIndex: number | undefined): unknown {
  const calls = own(message, "tool_calls");
  return Array.isArray(calls) && callIndex !== undefined ? calls[callIndex] : undefined;
}

function isObject(value: unknown): boolean {
  return typeof value === "object" && value !== null;
}

function lastModifier({ decisions }: ToolOutcome): string | undefined {
  return decisions.findLast(({ decision }) => decision === "modify")?.provider;
}

/** What a result says as data: text is JSON, unless it is not, or its schema asks for text. */
function structuredIn(content: unknown, { outputSchema }: ToolDeclaration): unknown {
  if (typeof content !== "string" || own(outputSchema, "type") === "string") return content;
  try {
    return JSON.parse(content);
  } catch {
    return content;
  }
}
