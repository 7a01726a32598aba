import { Call } from "../call/head.js";
import { inOwnWords } from "../errors/fault-warning.js";
import type {
  Awaitable,
  GuardrailProvider,
  ToolCall,
  ToolDefinition,
  ToolResult,
} from "../protocol/guardrail.js";
import type { DecisionRecord } from "../protocol/outcome.js";
import { ask, type Question } from "./ask.js";
import { kindOf } from "./misanswer.js";
import { Checked, type CheckedDecision, type Denial, type Phase } from "./read-decision.js";
import { ofPhase } from "./records.js";
import type { ToolNames } from "./tool-names.js";

export type Predicate = (call: ToolCall) => boolean;
export type Answer = CheckedDecision | undefined | Promise<CheckedDecision | undefined>;

/** The facts about a provider beside its answers. */
export interface GuardFacts {
  readonly name: string;
  /** True if its answer to a call is enough for the call to count as judged. */
  readonly counts: boolean;
  /** The lists of tools that it is limited to: it covers what all of them do. Without one, it covers every tool. */
  readonly only: readonly ToolNames[];
  /** The conditions that must all be true of a call that it is asked about. */
  readonly when: readonly Predicate[];
  readonly tools: readonly string[];
  readonly checksArguments: ((tool: ToolDefinition) => boolean) | undefined;
  readonly judgesPieces: ((tool: ToolDefinition) => boolean) | undefined;
  readonly register: ((tool: ToolDefinition) => void) | undefined;
  readonly settle: GuardrailProvider["settle"];
  readonly close: (() => Awaitable<void>) | undefined;
}

/**
 * One provider in a flat chain. Each of its answers is a checked decision.
 *
 * A chain is a list of guards, so nested chains cost and count as if they had
 * been written flat.
 */
export abstract class Guard {
  readonly facts: GuardFacts;
  /** The records of a plain allow, by phase. */
  readonly allowed: Readonly<Record<Phase, DecisionRecord>>;
  /** True if its conditions must be asked for each call of a tool that it covers. */
  readonly isConditional: boolean;

  /** The names that its records can carry. */
  readonly names: readonly string[];

  constructor(facts: GuardFacts, names: readonly string[] = [facts.name]) {
    this.facts = facts;
    this.names = names;
    this.isConditional = facts.when.length > 0;
    const record = (phase: Phase): DecisionRecord =>
      Object.freeze({ provider: facts.name, phase, decision: "allow", basis: "policy" });
    this.allowed = { call: record("call"), admit: record("admit"), result: record("result") };
  }

  abstract answers(phase: Phase): boolean;
  /** Answers; undefined if it is made of several, of which none has a say about this call. */
  abstract answer(phase: Phase, call: Call, result?: ToolResult): Answer;
  /** Returns the same guard with other facts. */
  abstract with(changes: Partial<GuardFacts>): Guard;
  /** Returns the same guard with another deadline for each answer. */
  abstract within(timeoutMs: number): Guard;

  /** Returns the same guard with each provider inside it changed. */
  each(change: (guard: Guard) => Guard): Guard {
    return change(this);
  }

  /** True if it is asked about calls of this tool at all. */
  covers(toolName: string): boolean {
    const { only } = this.facts;
    // To ask an empty list costs as much as a guard that is asked.
    return only.length === 0 || only.every((names) => names.covers(toolName));
  }

  /** True if it is asked about this call of a tool that it covers. A condition that throws or gives no boolean is a DENY. */
  applies(call: Call): boolean | Denial {
    for (const condition of this.facts.when) {
      try {
        const met: unknown = condition(call.shown);
        if (met === false) return false;
        if (met !== true) {
          return this.#conditionFault(
            call,
            "malformed",
            inOwnWords(new TypeError(notBoolean(met))),
          );
        }
      } catch (error) {
        return this.#conditionFault(call, "error", error);
      }
    }
    return true;
  }

  /** True if it would answer: its conditions are met, and those of one of the guards inside it. */
  hasSay(call: Call): boolean | Denial {
    return this.applies(call);
  }

  #conditionFault(call: Call, basis: "error" | "malformed", error: unknown): Denial {
    Call.scopeOf(call).report(this.facts.name, "when", error);
    return Checked.fault(basis, this.facts.name);
  }

  /** True unless it says that it leaves the pieces of this tool's streams alone. One that throws has not said so. */
  judgesPieces(tool: ToolDefinition): boolean {
    if (!this.answers("result") || !this.covers(tool.name)) return false;
    try {
      return this.facts.judgesPieces?.(tool) !== false;
    } catch {
      return true;
    }
  }

  /** True if it says that it checks the arguments of every call of this tool against the tool's schema. */
  checksArguments(tool: ToolDefinition): boolean {
    if (this.isConditional || !this.covers(tool.name)) return false;
    try {
      return this.facts.checksArguments?.(tool) === true;
    } catch {
      return false;
    }
  }
}

function notBoolean(answer: unknown): string {
  return `The condition of when() answered ${kindOf(answer)}. It answers true or false, at once.`;
}

/** The guard of one provider as its author wrote it. */
export class ProviderGuard extends Guard {
  readonly #questions: Readonly<Record<Phase, Question | undefined>>;
  readonly #timeoutMs: number | undefined;

  constructor(
    facts: GuardFacts,
    questions: Readonly<Record<Phase, Question | undefined>>,
    timeoutMs: number | undefined,
  ) {
    super(facts);
    this.#questions = questions;
    this.#timeoutMs = timeoutMs;
  }

  answers(phase: Phase): boolean {
    return ofPhase(this.#questions, phase) !== undefined;
  }

  answer(phase: Phase, call: Call, result?: ToolResult): Answer {
    const question = ofPhase(this.#questions, phase) as Question;
    return ask(question, phase, this.facts.name, this.#timeoutMs, call, result);
  }

  with(changes: Partial<GuardFacts>): Guard {
    return new ProviderGuard({ ...this.facts, ...changes }, this.#questions, this.#timeoutMs);
  }

  within(timeoutMs: number): Guard {
    return new ProviderGuard(this.facts, this.#questions, timeoutMs);
  }
}
