import { AsyncLocalStorage } from "node:async_hooks";
import type { Deny, GuardrailProvider, ToolCall } from "@toolstile/core";
import { failed } from "../model-rails/cannot-judge.js";
import type { RailPorts, RailVerdict } from "../model-rails/rail.js";
import { ownGuards } from "./call-violation.js";
import type { PerToolRail, PerToolRails, ToolSubject } from "./per-tool-rail.js";

/** Asks a rail within one request: its models, its spans, its log. It throws nothing. */
export type JudgeTool = (
  rail: PerToolRail,
  subject: ToolSubject,
) => RailVerdict | Promise<RailVerdict>;

/** Asks a rail. Whatever it throws, there is a verdict: it failed. */
export async function judged(
  rail: PerToolRail,
  subject: ToolSubject,
  ports: RailPorts,
): Promise<RailVerdict> {
  try {
    return await rail.judge(subject, ports);
  } catch (error) {
    return failed(rail, error);
  }
}

/** A rail that blocked, and why. */
export interface ToolFinding {
  readonly rail: PerToolRail;
  readonly verdict: Extract<RailVerdict, { status: "blocked" }>;
}

/**
 * The rails of single tools, and how one request asks them.
 *
 * @param parallel ask all rails of a call or a result at once.
 */
export function perToolGuard(railsOf: PerToolRails, parallel: boolean) {
  const requests = new AsyncLocalStorage<JudgeTool>();
  /** The normalised names of its flows. */
  const names = [...new Set([...railsOf.values()].flat().map(({ name }) => name))];

  /** The rails of a tool, as far as they are active. */
  function of(tool: string, active: readonly string[]): readonly PerToolRail[] {
    if (active.length === 0) return [];
    return (railsOf.get(tool) ?? []).filter(({ name }) => active.includes(name));
  }

  /** The first rail in the configured order that blocks; undefined if all pass. */
  async function judge(
    rails: readonly PerToolRail[],
    subject: ToolSubject,
    ask: JudgeTool,
  ): Promise<ToolFinding | undefined> {
    const verdicts = parallel
      ? await Promise.all(rails.map((rail) => ask(rail, subject)))
      : undefined;
    for (const [index, rail] of rails.entries()) {
      const verdict = verdicts?.[index] ?? (await ask(rail, subject));
      if (verdict.status !== "passed") return { rail, verdict: blockedOf(rail, verdict) };
    }
    return undefined;
  }

  /** Lets a request ask: the guards that `provider` gives are of all requests. */
  function during<T>(ask: JudgeTool, run: () => Promise<T>): Promise<T> {
    return requests.run(ask, run);
  }

  /** The guard that asks the active rails of a called tool. It denies outside of a request. */
  function provider(active: readonly string[]): GuardrailProvider {
    return {
      name: ownGuards.perTool,
      // A rail that asks a model has the time limits of its requests.
      timeoutMs: Number.POSITIVE_INFINITY,
      evaluate: async (call) => {
        const rails = of(call.toolName, active);
        if (rails.length === 0) return { decision: "allow" };
        const ask = requests.getStore();
        if (ask === undefined) throw new TypeError("The call is judged outside of a request.");
        const found = await judge(rails, subjectOf(call), ask);
        return found === undefined ? { decision: "allow" } : denial(found);
      },
    };
  }

  return { names, parallel, of, judge, during, provider };
}

export type PerToolGuard = ReturnType<typeof perToolGuard>;

function subjectOf({ toolName: tool, args, tool: declared, signal }: ToolCall): ToolSubject {
  return { tool, args, declared, signal };
}

/** The reason for which a call or a result is blocked. */
export function reasonOf({ rail, verdict }: ToolFinding): string {
  return verdict.basis === "error" ? verdict.reason : `${rail.name}: ${verdict.reason}`;
}

function denial(found: ToolFinding): Deny {
  const { rail, verdict } = found;
  return {
    decision: "deny",
    reason: reasonOf(found),
    code: verdict.basis === "error" ? "rail_failed" : "rail_blocked",
    metadata: { ...verdict.metadata, rail: rail.flow },
  };
}

/** A verdict that rewrites is none here: what is judged is what leaves. */
function blockedOf(rail: PerToolRail, verdict: RailVerdict): ToolFinding["verdict"] {
  if (verdict.status === "blocked") return verdict;
  return { status: "blocked", basis: "error", reason: `${rail.flow} failed` };
}
