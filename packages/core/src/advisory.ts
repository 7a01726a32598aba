import { Call } from "./call.js";
import { composed, names, tellAll } from "./chain.js";
import { Fold } from "./fold.js";
import { Judgement, type Phase } from "./judgement.js";
import { Link, type LinkFacts, register } from "./link.js";
import type { DecisionRecord, GuardrailProvider, ToolResult } from "./protocol.js";
import { flatten, type Guardrail } from "./provider.js";
import { canTrustAwait } from "./thenable.js";

/**
 * Ask a guardrail, record what it would have done, and do nothing of it.
 *
 * It never counts as having judged a call. Its quota is its own: pass it a
 * limiter that is used nowhere else. Records carry `mode: "shadow"`.
 */
export function shadow(guardrail: Guardrail): GuardrailProvider {
  const link = new ShadowLink(undefined, flatten([guardrail]));
  return composed(link.facts.name, [link]);
}

/**
 * Let a guardrail's failures allow. Its denials stand.
 *
 * A throw, a timeout or a malformed answer is recorded with `mode:
 * "fail-open"`. Of a chain, or of several in parallel, each guardrail fails
 * open for itself, so that the denials of the others stand.
 */
export function failOpen(guardrail: Guardrail): GuardrailProvider {
  const open = (inner: Link): Link => new FailOpenLink(inner.facts, inner);
  const links = flatten([guardrail]).map((link) => link.each(open));
  return composed(`failOpen(${names(links)})`, links);
}

/** Nobody was asked, so that nothing is recorded. */
const unasked = new Judgement("allow", "policy", { records: [] });

class ShadowLink extends Link {
  readonly #inner: readonly Link[];
  /** Runs that it would have stopped, and whose quota it therefore does not take. */
  readonly #stopped = new WeakSet<object>();

  constructor(facts: LinkFacts | undefined, inner: readonly Link[]) {
    super(facts ?? shadowFacts(inner));
    this.#inner = inner;
  }

  answers(phase: Phase): boolean {
    return this.#inner.some((link) => link.answers(phase));
  }

  answer(phase: Phase, call: Call, result?: ToolResult): Judgement | Promise<Judgement> {
    if (phase !== "call" && this.#stopped.has(call.run)) return unasked;
    // Its deadlines and its aborts are not the run's.
    const scope = Call.scopeOf(call).child();
    const links = this.#inner.filter((link) => link.answers(phase));
    const fold = new Fold(links, phase, Call.derive(call, call.args, scope), result);
    const finish = (): Judgement => {
      scope.release();
      if (fold.denial !== undefined) this.#stopped.add(call.run);
      else if (phase === "call") this.#stopped.delete(call.run);
      return new Judgement("allow", "policy", { records: inMode(fold.records, "shadow") });
    };
    const pending = fold.run();
    return pending === undefined ? finish() : pending.then(finish);
  }

  override get names(): readonly string[] {
    return this.#inner.flatMap(({ names }) => names);
  }

  with(changes: Partial<LinkFacts>): Link {
    return new ShadowLink({ ...this.facts, ...changes }, this.#inner);
  }

  within(timeoutMs: number): Link {
    return new ShadowLink(
      this.facts,
      this.#inner.map((link) => link.within(timeoutMs)),
    );
  }
}

function shadowFacts(inner: readonly Link[]): LinkFacts {
  return {
    ...gathered(inner),
    name: inner.length === 1 ? names(inner) : `shadow(${names(inner)})`,
    counts: false,
    checksArguments: undefined,
    register: (tool) => {
      for (const link of inner) {
        try {
          if (link.covers(tool.name)) register(link, tool);
        } catch {
          // What it would have refused, it will be asked about, and that is recorded.
        }
      }
    },
  };
}

/** What links bring beside their answers, as one. */
export function gathered(inner: readonly Link[]): LinkFacts {
  const settlers = inner.filter(({ facts }) => facts.settle !== undefined);
  return {
    name: names(inner),
    counts: inner.some(({ facts }) => facts.counts),
    only: undefined,
    when: [],
    tools: inner.flatMap(({ facts }) => facts.tools),
    checksArguments: (tool) => inner.some((link) => link.checksArguments(tool)),
    register: (tool) => {
      for (const link of inner) if (link.covers(tool.name)) register(link, tool);
    },
    settle:
      settlers.length === 0
        ? undefined
        : (call, outcome) => tellAll(settlers, (facts) => facts.settle?.(call, outcome)),
    close: () => tellAll(inner, (facts) => facts.close?.()),
  };
}

class FailOpenLink extends Link {
  readonly #inner: Link;

  constructor(facts: LinkFacts, inner: Link) {
    super({ ...facts, checksArguments: undefined });
    this.#inner = inner;
  }

  answers(phase: Phase): boolean {
    return this.#inner.answers(phase);
  }

  answer(phase: Phase, call: Call, result?: ToolResult): Judgement | Promise<Judgement> {
    const scope = Call.scopeOf(call).child();
    const finish = (judgement: Judgement): Judgement => {
      scope.release();
      const failed = judgement.decision === "deny" && judgement.basis !== "policy";
      // A caller who gave up, or a `then` that is planted, is no failure of the guardrail's.
      return failed && scope.caller?.aborted !== true && canTrustAwait()
        ? new Judgement("allow", judgement.basis, { records: [this.#opened(phase, judgement)] })
        : judgement;
    };
    const answer = this.#inner.answer(phase, Call.derive(call, call.args, scope), result);
    return answer instanceof Promise ? answer.then(finish) : finish(answer);
  }

  #opened(phase: Phase, { basis, reason }: Judgement): DecisionRecord {
    const provider = this.facts.name;
    return Object.freeze({ provider, phase, decision: "allow", basis, mode: "fail-open", reason });
  }

  override get names(): readonly string[] {
    return this.#inner.names;
  }

  with(changes: Partial<LinkFacts>): Link {
    return new FailOpenLink({ ...this.facts, ...changes }, this.#inner);
  }

  within(timeoutMs: number): Link {
    return new FailOpenLink(this.facts, this.#inner.within(timeoutMs));
  }
}

function inMode(
  records: readonly DecisionRecord[],
  mode: "shadow" | "fail-open",
): readonly DecisionRecord[] {
  return records.map((record) => Object.freeze({ ...record, mode: record.mode ?? mode }));
}
