import { ask, kindOf, type Question } from "./ask.js";
import { Call } from "./call.js";
import { ToolstileError } from "./errors.js";
import { Judgement, type Phase } from "./judgement.js";
import { quoted } from "./naming.js";
import type {
  Awaitable,
  DecisionRecord,
  SettledCall,
  ToolCall,
  ToolDefinition,
  ToolOutcome,
  ToolResult,
} from "./protocol.js";
import { disown, isThenable } from "./thenable.js";

export type Predicate = (call: ToolCall) => boolean;

/** What a provider brings beside its answers. */
export interface LinkFacts {
  readonly name: string;
  /** Whether its answer to a call is enough for the call to count as judged. */
  readonly counts: boolean;
  /** Only these tools, where said. */
  readonly only: ReadonlySet<string> | undefined;
  /** Only calls of which each of these is true. */
  readonly when: readonly Predicate[];
  readonly tools: readonly string[];
  readonly checksArguments: ((tool: ToolDefinition) => boolean) | undefined;
  readonly register: ((tool: ToolDefinition) => void) | undefined;
  readonly settle: ((call: SettledCall, outcome: ToolOutcome) => Awaitable<void>) | undefined;
  readonly close: (() => Awaitable<void>) | undefined;
}

/**
 * One provider in a flat chain: every answer it gives has been closed.
 *
 * A chain is a list of these, so that nested chains cost and count as if they
 * had been written flat.
 */
export abstract class Link {
  readonly facts: LinkFacts;
  /** What is recorded when it simply allows. */
  readonly allowed: Readonly<Record<Phase, DecisionRecord>>;
  /** Whether it has a say about every call there is. */
  readonly #always: boolean;

  constructor(facts: LinkFacts) {
    this.facts = facts;
    this.#always = facts.only === undefined && facts.when.length === 0;
    const record = (phase: Phase): DecisionRecord =>
      Object.freeze({ provider: facts.name, phase, decision: "allow", basis: "policy" });
    this.allowed = { call: record("call"), admit: record("admit"), result: record("result") };
  }

  abstract answers(phase: Phase): boolean;
  abstract answer(phase: Phase, call: Call, result?: ToolResult): Judgement | Promise<Judgement>;
  /** The same with other facts. */
  abstract with(changes: Partial<LinkFacts>): Link;
  /** The same with another deadline for each answer. */
  abstract within(timeoutMs: number): Link;

  /** The names that its records can carry. */
  get names(): readonly string[] {
    return [this.facts.name];
  }

  /** The same with each provider inside it changed. */
  each(change: (link: Link) => Link): Link {
    return change(this);
  }

  /** Whether it has a say about this tool at all. */
  covers(toolName: string): boolean {
    return this.facts.only === undefined || this.facts.only.has(toolName);
  }

  /** Whether it has a say about this call; a condition that fails or is no boolean is a DENY. */
  applies(call: Call): boolean | Judgement {
    if (this.#always) return true;
    if (!this.covers(call.toolName)) return false;
    for (const condition of this.facts.when) {
      try {
        const met: unknown = condition(call);
        if (met === false) return false;
        if (met !== true) {
          return this.#conditionFault(call, "malformed", new TypeError(notBoolean(met)));
        }
      } catch (error) {
        return this.#conditionFault(call, "error", error);
      }
    }
    return true;
  }

  #conditionFault(call: Call, basis: "error" | "malformed", error: unknown): Judgement {
    Call.scopeOf(call).report(this.facts.name, "when", error);
    return Judgement.fault(basis, this.facts.name);
  }

  /** "I hold this tool's arguments to its schema", said of every call to it. */
  checksArguments(tool: ToolDefinition): boolean {
    return (
      this.covers(tool.name) &&
      this.facts.when.length === 0 &&
      this.facts.checksArguments?.(tool) === true
    );
  }
}

function notBoolean(answer: unknown): string {
  return `The condition of when() answered ${kindOf(answer)}. It answers true or false, at once.`;
}

/** A provider that somebody wrote. */
export class ProviderLink extends Link {
  readonly #questions: Readonly<Record<Phase, Question | undefined>>;
  readonly #timeoutMs: number | undefined;

  constructor(
    facts: LinkFacts,
    questions: Readonly<Record<Phase, Question | undefined>>,
    timeoutMs: number | undefined,
  ) {
    super(facts);
    this.#questions = questions;
    this.#timeoutMs = timeoutMs;
  }

  answers(phase: Phase): boolean {
    return this.#questions[phase] !== undefined;
  }

  answer(phase: Phase, call: Call, result?: ToolResult): Judgement | Promise<Judgement> {
    const question = this.#questions[phase] as Question;
    const scope = Call.scopeOf(call);
    return ask(question, phase, this.facts.name, this.#timeoutMs, scope, call, result);
  }

  with(changes: Partial<LinkFacts>): Link {
    return new ProviderLink({ ...this.facts, ...changes }, this.#questions, this.#timeoutMs);
  }

  within(timeoutMs: number): Link {
    return new ProviderLink(this.facts, this.#questions, timeoutMs);
  }
}

/**
 * Tell a guard of a tool.
 *
 * @throws what the guard refuses the tool with; ToolstileError
 *   `ERR_INVALID_PROVIDER` for a promise, by which it could only refuse too late.
 */
export function register({ facts }: Link, tool: ToolDefinition): void {
  const answer: unknown = facts.register?.(tool);
  if (!isThenable(answer)) return;
  disown(answer);
  throw new ToolstileError(
    "ERR_INVALID_PROVIDER",
    `${quoted(facts.name)}.register() answers at once, and not with a promise.`,
  );
}
