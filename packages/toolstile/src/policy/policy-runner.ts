import type { InspectedGuardFile } from "@toolstile/config";
import {
  type Approver,
  type CallRequest,
  type RunOptions,
  type ToolDefinition,
  type ToolObserver,
  type ToolOutcome,
  ToolRunner,
  type ToolRunnerOptions,
} from "@toolstile/core";
import type { OpenedCall, RefusedTool } from "@toolstile/core/host";
import { RulePlaces } from "./rule-places.js";
import { type Ruling, rulingsOf } from "./ruling.js";

export interface PolicyRunnerOptions {
  readonly file: Pick<InspectedGuardFile, "guards" | "guardrails">;
  readonly tools: readonly ToolDefinition[];
  /** True if the host accepts tools whose arguments no guard checks. */
  readonly unchecked: boolean;
  readonly observers?: readonly ToolObserver[] | undefined;
  /** Told of each fault of a guard or an observer. */
  readonly onFault?: ToolRunnerOptions["onFault"];
}

/** A call that a policy let through, until it is closed, or its end. */
export type PolicyAnswer =
  | { readonly opened: OpenedCall; readonly outcome?: undefined }
  | { readonly outcome: ToolOutcome; readonly opened?: undefined };

/** The guards of a guard.yaml as a host would run them, but with no tool behind them. */
export class PolicyRunner {
  readonly places: RulePlaces;
  /** The tools that no runner with these guards takes. */
  readonly refusals: readonly RefusedTool[];
  readonly #runner: ToolRunner;

  constructor({ file, tools, unchecked, observers = [], onFault }: PolicyRunnerOptions) {
    this.places = new RulePlaces(file.guards);
    const { guardrails } = file;
    this.#runner = new ToolRunner({ guardrails, unchecked, observers, approver: nobody, onFault });
    this.refusals = withTools(this.#runner, guardrails, tools);
  }

  async open(request: CallRequest, options: RunOptions): Promise<PolicyAnswer> {
    const answer = await this.#runner.open(request, options);
    return answer.outcome === undefined ? { opened: answer } : { outcome: answer.outcome };
  }

  rulingsOf(outcome: ToolOutcome): readonly Ruling[] {
    return rulingsOf(outcome, this.places);
  }
}

/** Nobody approves anything, but the record of a call says that there was a question. */
const nobody: Approver = {
  name: "nobody",
  ask: () => ({ decision: "denied" }),
  recall: () => undefined,
  consume: () => false,
};

/**
 * Gives a runner these tools, and with them every name that a guard is for: that a tool is not there
 * is another finding.
 *
 * @returns the tools among these that were refused.
 */
export function withTools(
  runner: ToolRunner,
  guardrails: readonly object[],
  tools: readonly ToolDefinition[],
): readonly RefusedTool[] {
  const declared = new Set(tools.map(({ name }) => name));
  const others = new Set(guardrails.flatMap(namesOf).filter((name) => !declared.has(name)));
  const stand = [...others].map((name) => ({ name }));
  return runner.setTools([...tools, ...stand]).filter(({ name }) => declared.has(name));
}

/** The tools that a guard says it is for. */
export function namesOf(guardrail: object): readonly string[] {
  const names: unknown = "tools" in guardrail ? guardrail.tools : undefined;
  return Array.isArray(names) ? names : [];
}
