import { Call } from "../call/head.js";
import type { GuardrailProvider, ToolResult } from "../protocol/guardrail.js";
import type { DecisionRecord } from "../protocol/outcome.js";
import { speaking } from "./by-phase.js";
import { composed, gathered, names, register } from "./compose.js";
import { type Guardrail, guardsIn } from "./define.js";
import { Deliberation } from "./deliberation.js";
import { type Answer, Guard, type GuardFacts } from "./guard.js";
import { Checked, type CheckedDecision, type Phase } from "./read-decision.js";

/**
 * Asks a guardrail and records what it would have done, without doing it.
 *
 * It never counts as having judged a call. Its quota must be separate: pass a
 * limiter that is used nowhere else. Records carry `mode: "shadow"`.
 */
export function shadow(guardrail: Guardrail): GuardrailProvider {
  const guard = new ShadowGuard(undefined, guardsIn(guardrail, "shadow()"));
  return composed(guard.facts.name, [guard]);
}

/** The decision if no guard was asked: it adds no record. */
const unasked = new Checked("allow", "policy", { records: [] });

class ShadowGuard extends Guard {
  readonly #inner: readonly Guard[];
  /** The runs that it would have stopped, and whose quota it therefore does not take. */
  readonly #stopped = new WeakSet<object>();

  constructor(facts: GuardFacts | undefined, inner: readonly Guard[]) {
    super(
      facts ?? shadowFacts(inner),
      inner.flatMap(({ names }) => names),
    );
    this.#inner = inner;
  }

  answers(phase: Phase): boolean {
    return this.#inner.some((guard) => guard.answers(phase));
  }

  answer(phase: Phase, call: Call, result?: ToolResult): Answer {
    if (phase !== "call" && this.#stopped.has(call.run)) return unasked;
    // Its deadlines and aborts must not end the run.
    const scope = Call.scopeOf(call).child();
    const guards = speaking(this.#inner, phase, call.toolName);
    const deliberation = new Deliberation(guards, phase, call.under(scope), result);
    const finish = (): CheckedDecision => {
      scope.release();
      if (deliberation.denial !== undefined) this.#stopped.add(call.run);
      else this.#stopped.delete(call.run);
      return new Checked("allow", "policy", {
        records: inMode(deliberation.records, "shadow"),
      });
    };
    const pending = deliberation.run();
    return pending === undefined ? finish() : pending.then(finish);
  }

  with(changes: Partial<GuardFacts>): Guard {
    return new ShadowGuard({ ...this.facts, ...changes }, this.#inner);
  }

  within(timeoutMs: number): Guard {
    return new ShadowGuard(
      this.facts,
      this.#inner.map((guard) => guard.within(timeoutMs)),
    );
  }
}

function shadowFacts(inner: readonly Guard[]): GuardFacts {
  return {
    ...gathered(inner),
    name: inner.length === 1 ? names(inner) : `shadow(${names(inner)})`,
    counts: false,
    checksArguments: undefined,
    register: (tool) => {
      for (const guard of inner) {
        try {
          if (guard.covers(tool.name)) register(guard, tool);
        } catch {
          // It is asked about the calls of a tool that it would have refused, and that is recorded.
        }
      }
    },
  };
}

function inMode(
  records: readonly DecisionRecord[],
  mode: "shadow" | "fail-open",
): readonly DecisionRecord[] {
  return records.map((record) => Object.freeze({ ...record, mode: record.mode ?? mode }));
}
