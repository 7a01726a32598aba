import {
  allowAll,
  type ResultGuardrail,
  type RunOptions,
  ToolRunner,
  type ToolRunnerOptions,
  toolResult,
} from "@toolstile/core";
import type { ToolDeclaration } from "@toolstile/core/host";
import { aborted } from "../aborted.js";
import type { ChatMessage } from "../chat/message.js";
import { Latest } from "../latest.js";
import type { Violation } from "../violation.js";
import { type AnsweredCall, answeredCalls, structuredIn } from "./exchange.js";
import type { FlowGuards } from "./flow-guards.js";
import { findingKey, type KeptFindings } from "./kept-findings.js";
import type { ResultJudge } from "./mounted.js";
import { findingOf, type ResultFinding } from "./result-finding.js";
import { placedViolation, resultSchemaGuard } from "./result-violation.js";

const mostRunners = 64;

/** The verdict on the results in a conversation. */
export interface ResultsVerdict {
  /** The conversation with the results that guards rewrote. */
  readonly messages: readonly ChatMessage[];
  /** The judge that last changed a result. */
  readonly modifiedBy: string | undefined;
  readonly violations: readonly Violation[];
}

/**
 * Judges what results say: by the schemas declared for them, then by mounted judges.
 *
 * Judges that give one answer to one result are asked once for each result,
 * as far as they stand before all others: their finding is kept.
 *
 * @param load gives the guards of the flow.
 */
export function resultContents(
  load: () => Promise<FlowGuards>,
  mounted: readonly ResultJudge[],
  kept: KeptFindings,
  given: Omit<ToolRunnerOptions, "guardrails">,
) {
  const runners = new Latest<ToolRunner | Promise<ToolRunner>>(mostRunners);
  // Made at once: it refuses guards that are none.
  const all = runnerOf(mounted);

  /** The mounted judges of these names, in their order. */
  function named(names: readonly string[]): readonly ResultJudge[] {
    return mounted.filter(({ name }) => names.includes(name));
  }

  /** @param schemas of results; none if the flow is off. */
  async function judge(
    messages: readonly ChatMessage[],
    schemas: readonly ToolDeclaration[],
    judges: readonly ResultJudge[],
    options: RunOptions,
  ): Promise<ResultsVerdict> {
    const others = judges.findIndex((judge) => !judge.deterministicResults);
    const first = others === -1 ? judges : judges.slice(0, others);
    const steps = [
      { judges: first, flow: schemas.length > 0, keeps: true },
      { judges: judges.slice(first.length), flow: false, keeps: false },
    ].filter((step) => step.flow || step.judges.length > 0);
    const violations: Violation[] = [];
    let modifiedBy: string | undefined;
    const rewritten = new Map<number, ChatMessage>();
    for (const answered of answeredCalls(messages)) {
      const { index, name, result } = answered;
      const schema = schemas.find((declared) => declared.name === name);
      let content: unknown = result.content ?? "";
      for (const step of steps) {
        const found = await findingBy(step, answered, content, schema, options);
        if (found.violation !== undefined) {
          violations.push(placedViolation(found.violation, answered));
          break;
        }
        modifiedBy = found.modifiedBy ?? modifiedBy;
        if (found.content === undefined) continue;
        content = found.content;
        rewritten.set(index, { ...result, content: content as ChatMessage["content"] });
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

  async function findingBy(
    { judges, flow, keeps }: Step,
    answered: AnsweredCall,
    content: unknown,
    schema: ToolDeclaration | undefined,
    options: RunOptions,
  ): Promise<ResultFinding> {
    const ask = async (): Promise<ResultFinding> => {
      const found = await asked(await runnerFor(judges, flow), answered, content, schema, options);
      if (options.signal?.aborted === true) throw aborted(options.signal);
      return found;
    };
    if (!keeps) return ask();
    const names = [...(flow ? [resultSchemaGuard] : []), ...judges.map(({ name }) => name)];
    return kept.found(findingKey("contents", names, answered, content, schema), ask);
  }

  async function asked(
    runner: ToolRunner,
    { name = "", callId: said, arguments: text, receipt }: AnsweredCall,
    content: unknown,
    schema: ToolDeclaration | undefined,
    options: RunOptions,
  ): Promise<ResultFinding> {
    const tools = [schema ?? { name }];
    const request = { name, callId: said, arguments: text, receipt };
    const opened = await runner.open(request, { ...options, tools });
    if (opened.outcome !== undefined) return findingOf(opened.outcome, content, said);
    const structured = schema === undefined ? undefined : structuredIn(content, schema);
    // Only what is content at all can be judged; anything else fails to be read.
    const { callId } = opened.call;
    const claimed = { callId, name, content: content as string, structured: structured as string };
    return findingOf(await opened.close({ value: toolResult(claimed) }), content, said);
  }

  function runnerFor(
    judges: readonly ResultJudge[],
    flow: boolean,
  ): ToolRunner | Promise<ToolRunner> {
    if (!flow && judges.length === mounted.length) return all;
    const key = JSON.stringify([flow, ...judges.map(({ name }) => name)]);
    const known = runners.get(key);
    if (known !== undefined) return known;
    const runner = flow ? withFlow(judges) : runnerOf(judges);
    runners.set(key, runner);
    return runner;
  }

  async function withFlow(judges: readonly ResultJudge[]): Promise<ToolRunner> {
    const { resultGuards } = await load();
    return runnerOf([...resultGuards(), ...judges]);
  }

  function runnerOf(judges: readonly ResultGuardrail[]): ToolRunner {
    return new ToolRunner({
      ...given,
      unchecked: true,
      // Their calls were judged when they were handed out.
      guardrails: [allowAll(), ...judges],
    });
  }

  return { named, judge, hasJudges: mounted.length > 0, close: () => all.close() };
}

export type ResultContents = ReturnType<typeof resultContents>;

interface Step {
  readonly judges: readonly ResultJudge[];
  /** Results are held to their schemas. */
  readonly flow: boolean;
  /** Its findings may be kept. */
  readonly keeps: boolean;
}
