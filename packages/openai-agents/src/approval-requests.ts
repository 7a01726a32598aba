import type { RunContext } from "@openai/agents";
import type {
  Approver,
  CallRequest,
  RunOptions,
  ToolOutcome,
  ToolRunnerOptions,
} from "@toolstile/core";
import { ApprovalRequests } from "@toolstile/core/host";
import type { GuardableTool } from "./guarded-tool.js";

/** The framework's question to a tool, before it runs it. */
type NeedsApproval = (
  runContext: RunContext<unknown>,
  args: unknown,
  callId?: string,
) => Promise<boolean>;

/**
 * Denials that can be lifted, as interruptions of the framework's run.
 *
 * The framework asks about the arguments that the model wrote, and runs a call
 * with their text. It may also run one that it never asked about: an approval
 * is for a call of just the same arguments, whichever run that is of.
 */
export class AgentApprovalRequests {
  readonly #requests: ApprovalRequests;
  readonly #described: (runContext: RunContext<unknown>) => RunOptions;

  constructor(
    options: ToolRunnerOptions,
    described: (runContext: RunContext<unknown>) => RunOptions,
  ) {
    this.#requests = new ApprovalRequests(options);
    this.#described = described;
  }

  get approver(): Approver {
    return this.#requests.approver;
  }

  /** True if the guards ask for an approval, or the tool itself does. */
  needsApproval(tool: GuardableTool): NeedsApproval {
    const { needsApproval } = tool as { readonly needsApproval?: NeedsApproval };
    return async (runContext, args, callId) => {
      const request = { name: tool.name, arguments: args, callId };
      const needed = await this.#requests.neededFor(request, this.#described(runContext));
      // One that was refused is run at once, and the model reads why it is denied.
      if (needed) return !needed.isRefused;
      return (await needsApproval?.call(tool, runContext, args, callId)) === true;
    };
  }

  /** The outcome of a call, also of one that was approved in the meantime. */
  async outcomeOf(
    request: CallRequest,
    runContext: RunContext<unknown>,
    run: () => Promise<ToolOutcome>,
    resume: (approvalId: string) => Promise<ToolOutcome>,
  ): Promise<ToolOutcome> {
    const options = this.#described(runContext);
    const resumed = await this.#requests.resumed(request, options, resume);
    return resumed ?? this.#requests.lifted(await run(), request, options, resume);
  }
}
