import type { RunContext } from "@openai/agents";
import { ApprovalRequests } from "@toolstile/approval/requests";
import {
  type CallRequest,
  canonicalJson,
  type RunOptions,
  type ToolOutcome,
  type ToolRunnerOptions,
} from "@toolstile/core";
import { runName } from "./call-facts.js";
import type { GuardableTool } from "./guarded-tool.js";

/** What the framework asks of a tool before it runs it. */
type NeedsApproval = (
  runContext: RunContext<unknown>,
  args: unknown,
  callId?: string,
) => Promise<boolean>;

/** What the framework asked about, and in which of its runs. */
interface Asked {
  readonly args: unknown;
  readonly run: string | undefined;
}

/** Calls whose arguments are remembered until they run, at most. One that is put out is denied, and asks anew. */
const mostAsked = 10_000;

/**
 * Denials that can be lifted, as interruptions of the framework's run.
 *
 * The framework asks about the arguments as the tool's schema reads them, and
 * runs a call with those that the model wrote. Within a run it holds an approval
 * to a call that is unchanged, so that what it asked about last under an id is
 * what runs. In a run that goes on from its text, or that has a permission for
 * all calls, that is so only where the one can be read of the other.
 */
export class AgentApprovalRequests {
  readonly #requests: ApprovalRequests;
  readonly #described: (runContext: RunContext<unknown>) => RunOptions;
  readonly #asked = new Map<string, Asked>();

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
      const key = keyOf(request, options);
      // What was asked about under its id before is none of this call's.
      if (key !== undefined) this.#asked.delete(key);
      if (key !== undefined && (await this.#requests.summaryOf(request, options)) !== undefined) {
        this.#remember(key, { args, run: runName(runContext) });
        return true;
      }
      return (await needsApproval?.call(tool, runContext, args, callId)) === true;
    };
  }

  /** Takes up a call that was told to wait for an approval; nothing, for any other. */
  resumption(
    { name, callId, input }: { name: string; callId: string | undefined; input: string },
    runContext: RunContext<unknown>,
    resume: (approvalId: string) => Promise<ToolOutcome>,
  ): (() => Promise<ToolOutcome>) | undefined {
    if (this.#asked.size === 0) return undefined;
    const options = this.#described(runContext);
    const key = keyOf({ name, callId }, options);
    const asked = key === undefined ? undefined : this.#asked.get(key);
    if (key === undefined || asked === undefined) return undefined;
    // The framework may run a call that it never asked about, and one of another run may have its id.
    if (asked.run !== runName(runContext) && !isReadAs(asked.args, parsed(input))) return undefined;
    // However it ends, the framework has its answer then, and asks of this call no more.
    this.#asked.delete(key);
    return this.#requests.resumption({ name, callId, arguments: asked.args }, options, resume);
  }

  #remember(key: string, asked: Asked): void {
    if (this.#asked.size >= mostAsked) {
      for (const oldest of this.#asked.keys()) {
        this.#asked.delete(oldest);
        break;
      }
    }
    this.#asked.set(key, asked);
  }
}

function parsed(input: string): unknown {
  try {
    return JSON.parse(input);
  } catch {
    return undefined;
  }
}

/** Whether the one may be what a schema reads of the other: all that was written, and perhaps defaults. */
function isReadAs(read: unknown, written: unknown): boolean {
  if (typeof read !== "object" || read === null) return Object.is(read, written);
  if (typeof written !== "object" || written === null) return false;
  if (Array.isArray(read) && read.length !== (written as { length?: unknown }).length) return false;
  return Object.entries(written).every(
    ([key, each]) => Object.hasOwn(read, key) && isReadAs(read[key as never], each),
  );
}

/** Nothing, where the host's facts cannot be read: the guards deny such a call. */
function keyOf({ name, callId }: CallRequest, { agentName, context }: RunOptions) {
  try {
    return canonicalJson([name, callId ?? null, agentName ?? null, { ...context }]);
  } catch {
    return undefined;
  }
}
