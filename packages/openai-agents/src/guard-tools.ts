import type { RunContext } from "@openai/agents";
import {
  describeCall,
  guardExecutor,
  type ToolOutcome,
  type ToolRunnerOptions,
  ToolstileError,
  throwOnDeny,
} from "@toolstile/core";
import { answerFor } from "./answer.js";
import { AgentApprovalRequests } from "./approval-requests.js";
import { asCancelled, type HostFacts, refuseOptions, runName } from "./call-facts.js";
import {
  type CallDetails,
  type ContextOf,
  detailsFor,
  type GuardableTool,
  type Invoke,
  invokeOf,
  withInvoke,
} from "./guarded-tool.js";
import { isRewritten } from "./rewritten.js";

/** Guards for tools of one context, with all that a ToolRunner takes. */
export interface GuardToolsOptions<Context = unknown>
  extends Omit<ToolRunnerOptions, "tools" | "aliases"> {
  /** What the host knows of a call: the agent, the session, who asks. A throw denies the call. */
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
 * @throws ToolstileError `ERR_INVALID_TOOL` for a tool that is no function
 * tool, and as ToolRunner does.
 */
export function guardTools<const Tools extends readonly GuardableTool[]>(
  tools: Tools,
  options: GuardToolsOptions<ContextOf<Tools[number]>>,
): { -readonly [Index in keyof Tools]: Tools[Index] } {
  refuseOptions("guardTools()", options, ["tools", "aliases", "denied"]);
  const { describe, requestApproval = false, ...rest } = options;
  if (typeof requestApproval !== "boolean") {
    throw new ToolstileError("ERR_INVALID_OPTION", "requestApproval is true or false.");
  }
  for (const tool of tools) checkKind(tool);
  const declarations = tools.map(({ name, description, parameters }) => {
    return { name, description, parameters };
  });
  const described = (runContext: RunContext<unknown>): HostFacts => ({
    turnId: runName(runContext),
    ...describeCall(
      describe && (() => describe(runContext as RunContext<ContextOf<Tools[number]>>)),
    ),
  });
  const guarded = guardExecutor(execute, {
    ...rest,
    tools: declarations,
    describe: ({ runContext, details }) => ({
      ...described(runContext),
      callId: details?.toolCall?.callId,
      signal: details?.signal,
    }),
    // Never asked: the outcome is read itself.
    denied: ({ result }): unknown => result.content,
  });
  const requests = requestApproval
    ? new AgentApprovalRequests({ ...rest, tools: declarations }, described)
    : undefined;
  /** What became of a call, also of one that was approved in the meantime. */
  const outcomeOf = async (invocation: Invocation, input: string): Promise<ToolOutcome> => {
    const { tool, runContext, details } = invocation;
    const asked = { name: tool.name, callId: details?.toolCall?.callId, input };
    const resume = requests?.resumption(asked, runContext, (approvalId) =>
      guarded.resume(approvalId, invocation),
    );
    try {
      if (resume !== undefined) return await resume();
    } catch (error) {
      // The framework's user alone said yes. The guards are asked, and deny.
      if (!ToolstileError.isInstance(error) || error.code !== "ERR_APPROVAL") throw error;
    }
    return endOf(guarded.stream(tool.name, input, invocation));
  };
  const guard = <Tool extends GuardableTool>(tool: Tool): Tool => {
    const invoke: Invoke = async (runContext, input, details) => {
      try {
        return readOf(await outcomeOf({ tool, runContext, details }, input));
      } catch (error) {
        if (isNoAnswer(error)) return error.message;
        throw asCancelled(error, details?.signal);
      }
    };
    return withInvoke(tool, invoke, requests && { needsApproval: requests.needsApproval(tool) });
  };
  return tools.map(guard) as { -readonly [Index in keyof Tools]: Tools[Index] };
}

/** The outcome, which only a stream gives: the pieces before it are no answer. */
async function endOf(pieces: AsyncGenerator<unknown, ToolOutcome>): Promise<ToolOutcome> {
  for (;;) {
    const { done, value } = await pieces.next();
    if (done === true) return value;
  }
}

/** What the framework is given for the model. @throws what the tool threw. */
function readOf(outcome: ToolOutcome): unknown {
  const { content } = outcome.result;
  switch (outcome.status) {
    case "executed":
      // A judge that rewrites answers for the content, which is what the record
      // holds. Beside it there may be a structured half that says what was taken out.
      return isRewritten(outcome) ? content : outcome.value;
    case "failed":
      if (outcome.error !== undefined) return throwOnDeny(outcome);
      throw new Error(typeof content === "string" ? content : JSON.stringify(content));
    default:
      return content;
  }
}

async function execute(_: string, args: object, { tool, runContext, details }: Invocation) {
  const input = JSON.stringify(args);
  const answer = await invokeOf(tool)(runContext, input, detailsFor(tool, details, input));
  return answerFor(answer, (tool as { outputSchema?: unknown }).outputSchema !== undefined);
}

/** The tool ran, and answered what no judge can read: its answer is kept back, and that is no reason to end the run. */
function isNoAnswer(error: unknown): error is ToolstileError {
  return ToolstileError.isInstance(error) && error.code === "ERR_NOT_JSON";
}

function checkKind(tool: GuardableTool): void {
  if (tool?.type === "function" && typeof tool.invoke === "function") return;
  const name = String(Object(tool).name ?? "without a name");
  throw new ToolstileError(
    "ERR_INVALID_TOOL",
    `The tool '${name}' is no function tool, so nothing can stand in front of it. Give it to the agent beside the guarded ones only if it may do whatever it can.`,
  );
}
