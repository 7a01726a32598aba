import type { RunContext } from "@openai/agents";
import { ApprovalRequests } from "@toolstile/approval/requests";
import {
  type CallRequest,
  canonicalJson,
  type RunOptions,
  type ToolOutcome,
  type ToolRunnerOptions,
} from "@toolstile/core";
import type { GuardableTool } from "./guarded-tool.js";

/** What the framework asks of a tool before it runs it. */
type NeedsApproval = (
  runContext: RunContext<unknown>,
  args: unknown,
  callId?: string,
) => Promise<boolean>;

/** Calls whose arguments are remembered until they run, at most. One that is put out is denied, and asks anew. */
const mostAsked = 10_000;

/**
 * Denials that can be lifted, as interruptions of the framework's run.
 *
 * The framework asks about the arguments as the tool's schema reads them, and
 * runs a call with those that the model wrote. It holds an approval to a call
 * that is unchanged, so that what it asked about last under an id is what runs.
 */
export class AgentApprovalRequests {
  readonly #requests: ApprovalRequests;
  readonly #described: (runContext: RunContext<unknown>) => RunOptions;
  readonly #asked = new Map<string, unknown>();

  constructor(
    options: ToolRunnerOptions,
    described: (runContext: RunContext<unknown>) => RunOptions,
  ) {
    this.#requests = new ApprovalRequests(options);
    this.#described = described;
  }

  /** Whether somebody has to approve: where the guards ask for it, or the tool itself does. */
  needsApproval(tool: GuardableTool): NeedsApproval {
    const { needsApproval } = tool as { readonly needsApproval?: NeedsApproval };
    return async (runContext, args, callId) => {
      const options = this.#described(runContext);
      const request = { name: tool.name, arguments: args, callId };
      if ((await this.#requests.summaryOf(request, options)) !== undefined) {
        this.#remember(request, options);
        return true;
      }
      return (await needsApproval?.call(tool, runContext, args, callId)) === true;
    };
  }

  /** Takes up a call that was told to wait for an approval; nothing, for any other. */
  resumption(
    name: string,
    callId: string | undefined,
    runContext: RunContext<unknown>,
    resume: (approvalId: string) => Promise<ToolOutcome>,
  ): (() => Promise<ToolOutcome>) | undefined {
    if (this.#asked.size === 0) return undefined;
    const options = this.#described(runContext);
    const key = keyOf({ name, callId }, options);
    if (!this.#asked.has(key)) return undefined;
    const request = { name, callId, arguments: this.#asked.get(key) };
    // However it ends, the framework has its answer then, and asks of this call no more.
    this.#asked.delete(key);
    return this.#requests.resumption(request, options, resume);
  }

  #remember(request: CallRequest, options: RunOptions): void {
    if (this.#asked.size >= mostAsked) {
      for (const oldest of this.#asked.keys()) {
        this.#asked.delete(oldest);
        break;
      }
    }
    this.#asked.set(keyOf(request, options), request.arguments);
  }
}

function keyOf({ name, callId }: CallRequest, { agentName, context }: RunOptions): string {
  return canonicalJson([name, callId ?? null, agentName ?? null, { ...context }]);
}
