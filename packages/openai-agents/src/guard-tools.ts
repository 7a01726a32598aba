import type { RunContext } from "@openai/agents";
import {
  guardExecutor,
  type ToolOutcome,
  type ToolRunnerOptions,
  ToolstileError,
  throwOnDeny,
} from "@toolstile/core";
import { answerFor } from "./answer.js";
import { asCancelled, factsFrom, type HostFacts, refuseOptions, runName } from "./call-facts.js";
import {
  type CallDetails,
  type ContextOf,
  detailsFor,
  type GuardableTool,
  invokeOf,
  withInvoke,
} from "./guarded-tool.js";
import { isRewritten } from "./rewritten.js";

/** Guards for tools of one context, with all that a ToolRunner takes. */
export interface GuardToolsOptions<Context = unknown>
  extends Omit<ToolRunnerOptions, "tools" | "aliases"> {
  /** What the host knows of a call: the agent, the session, who asks. A throw denies the call. */
  readonly describe?: ((runContext: RunContext<Context>) => HostFacts) | undefined;
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
  const { describe, ...rest } = options;
  for (const tool of tools) checkKind(tool);
  const guarded = guardExecutor(execute, {
    ...rest,
    tools: tools.map(({ name, description, parameters }) => ({ name, description, parameters })),
    describe: ({ runContext, details }) => ({
      turnId: runName(runContext),
      ...factsFrom(
        describe && (() => describe(runContext as RunContext<ContextOf<Tools[number]>>)),
      ),
      callId: details?.toolCall?.callId,
      signal: details?.signal,
    }),
    // Never asked: the outcome is read itself.
    denied: ({ result }): unknown => result.content,
  });
  const guard = <Tool extends GuardableTool>(tool: Tool): Tool =>
    withInvoke(tool, async (runContext, input, details) => {
      try {
        const pieces = guarded.stream(tool.name, input, { tool, runContext, details });
        return readOf(await endOf(pieces));
      } catch (error) {
        if (isNoAnswer(error)) return error.message;
        throw asCancelled(error, details?.signal);
      }
    });
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
