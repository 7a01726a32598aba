import { allowlist } from "@toolstile/allowlist";
import {
  allowAll,
  type CallContext,
  type GuardrailProvider,
  type ToolCall,
  type ToolDefinition,
  type ToolObserver,
  type ToolOutcome,
  ToolRunner,
  ToolstileError,
} from "@toolstile/core";
import type { OpenedCall, RefusedTool } from "@toolstile/core/host";
import { parseArguments } from "@toolstile/core/provider";
import { resultLinkage } from "@toolstile/result-linkage";
import type { RequestedCall } from "../traffic/requested-calls.js";
import type { RuledCall } from "./policy-tally.js";

/** A code, and why. */
export interface Fault {
  readonly code: string;
  readonly reason: string;
}

/** The guards' answer to one call. */
export interface CheckedCall {
  readonly faults: readonly Fault[];
  /** The call, if it was let through: to be closed with its result. */
  readonly opened: OpenedCall | undefined;
}

/** Told once of each call that a policy has decided on, when it has ended. */
export type Hear = (call: RuledCall) => void;

/** The guards before the tools of a conversation. */
export interface CallGuard {
  readonly open: (call: RequestedCall, context: CallContext, hear: Hear) => Promise<CheckedCall>;
}

export interface ConversationGuardOptions {
  /** The tools that are declared. Absent: none are, and any name goes. */
  readonly tools: readonly ToolDefinition[] | undefined;
  readonly schema: GuardrailProvider;
  readonly observers: readonly ToolObserver[];
  /** Told of an observer that could not write its record. */
  readonly onUnrecorded: (error: unknown) => void;
}

/** A runner for the tools that conversations declare: the guards that stand before a live agent. */
export class ConversationGuard implements CallGuard {
  readonly #runner: ToolRunner;
  readonly #providers: readonly GuardrailProvider[];
  readonly #schema: GuardrailProvider;
  readonly #tools: ReadonlyMap<string, ToolDefinition>;
  readonly #refused: ReadonlyMap<string, RefusedTool>;

  constructor({ tools, schema, observers, onUnrecorded }: ConversationGuardOptions) {
    const names = tools?.map(({ name }) => name);
    this.#providers = names === undefined ? [allowAll()] : [allowlist(names), schema];
    this.#runner = new ToolRunner({
      guardrails: [...this.#providers, resultLinkage()],
      observers,
      onFault: ({ source, error }) => {
        if (observers.some(({ name }) => name === source)) onUnrecorded(error);
      },
    });
    // The first reason to refuse a tool comes last, and stays.
    const refused = this.#runner.setTools(tools ?? []).toReversed();
    this.#refused = new Map(refused.map((each) => [each.name, each]));
    this.#tools = new Map((tools ?? []).map((each) => [each.name, each]));
    this.#schema = schema;
  }

  /** Ask about a call. Every fault that can be known is found, not only the one that stopped it. */
  async open(call: RequestedCall, context: CallContext): Promise<CheckedCall> {
    const opening = await this.#runner.open(
      // The runner refuses a call without a name, and puts it on record.
      { name: call.name as string, arguments: call.arguments, callId: call.id },
      { context },
    );
    if (opening.outcome === undefined) return { faults: [], opened: opening };
    return { faults: await this.#faults(call, opening.outcome, context), opened: undefined };
  }

  async #faults(
    call: RequestedCall,
    outcome: ToolOutcome,
    context: CallContext,
  ): Promise<readonly Fault[]> {
    // A call without a name is a fault of the conversation, which the linkage check finds.
    if (call.name === undefined) return faultsOfArguments(call.arguments);
    const faults: Fault[] = [];
    if (outcome.status === "invalid") faults.push(outcome);
    const refusal = this.#refused.get(call.name);
    if (refusal !== undefined) faults.push(this.#faultOf(refusal));
    const asked = new Set<string>();
    for (const { provider, decision, code, basis, reason = basis } of outcome.decisions) {
      asked.add(provider);
      if (decision === "deny") faults.push({ code: code ?? basis, reason });
    }
    for (const provider of this.#providers) {
      const isUnanswerable =
        provider === this.#schema && (outcome.askedArgs === undefined || refusal !== undefined);
      if (asked.has(provider.name) || isUnanswerable) continue;
      const answer = await provider.evaluate(this.#callOf(call.name, outcome, context));
      if (answer.decision !== "deny") continue;
      faults.push({ code: answer.code ?? "policy", reason: answer.reason });
    }
    // That an id is taken, the linkage check finds; whatever else stopped the call must show.
    if (faults.length === 0 && outcome.status === "denied" && outcome.basis !== "duplicate") {
      faults.push({ code: outcome.code ?? outcome.basis, reason: outcome.reason });
    }
    return faults;
  }

  #faultOf({ refusedBy, cause }: RefusedTool): Fault {
    const code = refusedBy === this.#schema.name ? "schema_invalid" : "tool_refused";
    const reason = ToolstileError.isInstance(cause) ? cause.message : "the tool was refused";
    return { code, reason };
  }

  #callOf(
    name: string,
    { runId, callId, askedArgs = {} }: ToolOutcome,
    context: CallContext,
  ): ToolCall {
    return {
      run: {},
      runId,
      callId,
      toolName: name,
      requestedName: name,
      context,
      tool: this.#tools.get(name),
      args: askedArgs,
      signal: new AbortController().signal,
    };
  }
}

function faultsOfArguments(given: unknown): readonly Fault[] {
  const parsed = parseArguments(given);
  return parsed.ok ? [] : [parsed];
}
