import type { RunContext } from "@openai/agents";
import {
  type ToolOutcome,
  type ToolRunnerOptions,
  ToolstileError,
  throwOnDeny,
} from "@toolstile/core";
import {
  describeCall,
  guardCalls,
  guardingTable,
  isRewritten,
  thrownFor,
} from "@toolstile/core/host";
import {
  boolean,
  func,
  type OptionTable,
  quoted,
  readOptions,
  sharedSignal,
} from "@toolstile/core/provider";
import { answerFor } from "./answer.js";
import { AgentApprovalRequests } from "./approval-requests.js";
import { type HostFacts, runName } from "./call-facts.js";
import {
  type CallDetails,
  type ContextOf,
  detailsFor,
  type GuardableTool,
  type Invoke,
  invokeOf,
  withInvoke,
} from "./guarded-tool.js";

/** Guards for tools of one context, with all that a ToolRunner takes. */
export interface GuardToolsOptions<Context = unknown>
  extends Omit<ToolRunnerOptions, "tools" | "aliases"> {
  /** The host's facts about a call: the agent, the session, who asks. A throw denies the call. */
  readonly describe?: ((runContext: RunContext<Context>) => HostFacts) | undefined;
  /** Make a denial that can be lifted an interruption of the run. For approvers that answer later. */
  readonly requestApproval?: boolean | undefined;
}

/** One call, as the framework made it. */
interface Invocation {
  readonly tool: GuardableTool;
  readonly runContext: RunContext<unknown>;
  readonly details: CallDetails | undefined;
}

/**
 * Put guards in front of a function tool, also of an agent that is one.
 *
 * @throws ToolstileError as guardTools() does.
 */
export function guardTool<Tool extends GuardableTool>(
  tool: Tool,
  options: GuardToolsOptions<ContextOf<Tool>>,
): Tool {
  const [guarded] = guardTools([tool], options);
  return guarded as Tool;
}

/**
 * Put one set of guards in front of function tools.
 *
 * The tools that come back are to be used in place of those that went in. They
 * get the arguments as decided, and the model reads of a denial what core says
 * of it. The guards and observers are the caller's, to close as well.
 *
 * @throws ToolstileError `ERR_INVALID_TOOL` for a tool that is not a
 * function tool, and as ToolRunner does.
 */
export function guardTools<const Tools extends readonly GuardableTool[]>(
  tools: Tools,
  options: GuardToolsOptions<ContextOf<Tools[number]>>,
): { -readonly [Index in keyof Tools]: Tools[Index] } {
  const { describe, requestApproval, ...rest } = readOptions("guardTools()", options, {
    ...guardingTable,
    describe: func<NonNullable<GuardToolsOptions<ContextOf<Tools[number]>>["describe"]>>(),
    requestApproval: boolean(),
  } satisfies OptionTable<GuardToolsOptions<ContextOf<Tools[number]>>>);
  for (const tool of tools) checkKind(tool);
  const declarations = tools.map(({ name, description, parameters }) => {
    return { name, description, parameters };
  });
  const described = (runContext: RunContext<unknown>): HostFacts => {
    const turnId = runName(runContext);
    if (describe === undefined) return { turnId };
    const asked = runContext as RunContext<ContextOf<Tools[number]>>;
    return { turnId, ...describeCall(() => describe(asked)) };
  };
  const requests =
    requestApproval === true
      ? new AgentApprovalRequests({ ...rest, tools: declarations }, described)
      : undefined;
  const approver = requests?.approver ?? rest.approver;
  const calls = guardCalls(
    execute,
    { ...rest, approver, tools: declarations },
    ({ runContext, details }) => {
      const callId = details?.toolCall?.callId;
      const signal = details?.signal && sharedSignal(details.signal);
      // Most hosts say nothing more: one object, and no copy of it.
      if (describe === undefined) return { turnId: runName(runContext), callId, signal };
      return { ...described(runContext), callId, signal };
    },
  );
  const outcomeOf = (invocation: Invocation, input: string): Promise<ToolOutcome> => {
    const { tool, runContext, details } = invocation;
    const run = () => calls.outcome(tool.name, input, invocation);
    if (requests === undefined) return run();
    const request = { name: tool.name, arguments: input, callId: details?.toolCall?.callId };
    return requests.outcomeOf(request, runContext, run, (id) => calls.resume(id, invocation));
  };
  const guard = <Tool extends GuardableTool>(tool: Tool): Tool => {
    const invoke: Invoke = async (runContext, input, details) => {
      try {
        return readOf(await outcomeOf({ tool, runContext, details }, input));
      } catch (error) {
        if (isNoAnswer(error)) return error.message;
        throw thrownFor(error, details?.signal);
      }
    };
    return withInvoke(tool, invoke, requests && { needsApproval: requests.needsApproval(tool) });
  };
  return tools.map(guard) as { -readonly [Index in keyof Tools]: Tools[Index] };
}

/** The answer for the model. @throws the tool's own error. */
function readOf(outcome: ToolOutcome): unknown {
  const { content } = outcome.result;
  switch (outcome.status) {
    case "executed":
      // A judge that rewrites answers for the content, which is what the record
      // holds. Beside it there may be a structured half that says what was taken out.
      return isRewritten(outcome) ? content : outcome.value;
    case "failed":
      // A tool that reports an error has answered: the framework would end the run by a throw.
      if (outcome.error === undefined) return content;
      return throwOnDeny(outcome);
    default:
      return content;
  }
}

async function execute(_: string, args: object, { tool, runContext, details }: Invocation) {
  const input = JSON.stringify(args);
  const answer = await invokeOf(tool)(runContext, input, detailsFor(tool, details, input));
  return answerFor(answer, (tool as { outputSchema?: unknown }).outputSchema !== undefined);
}

/** True of a tool that ran and whose answer is not JSON: the answer is kept back, and the run goes on. */
function isNoAnswer(error: unknown): error is ToolstileError {
  return ToolstileError.isInstance(error) && error.code === "ERR_NOT_JSON";
}

function checkKind(tool: GuardableTool): void {
  if (tool?.type === "function" && typeof tool.invoke === "function") return;
  const { name = "without a name", type } = Object(tool) as { name?: unknown; type?: unknown };
  throw new ToolstileError(
    "ERR_INVALID_TOOL",
    `Tool ${quoted(String(name))} must be a function tool, received type ${quoted(String(type))}: guards cannot stand in front of any other. Give it to the agent beside the guarded tools only if every call of it is allowed.`,
  );
}
