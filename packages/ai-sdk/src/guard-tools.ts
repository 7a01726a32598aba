import {
  type RunOptions,
  ToolRunner,
  type ToolRunnerOptions,
  ToolstileError,
} from "@toolstile/core";
import { guardCalls, guardingTable } from "@toolstile/core/host";
import {
  boolean,
  func,
  isJsonObject,
  type OptionTable,
  quoted,
  readOptions,
} from "@toolstile/core/provider";
import { remember, SdkApprovalRequests } from "./approval-requests.js";
import { declarationOf } from "./declaration.js";
import { guardedExecute } from "./execute.js";
import { hostFacts } from "./host-options.js";
import { guardedInput } from "./released.js";
import type { Execute, SdkTool, SdkTools, ToolCallOptions } from "./sdk.js";
import { turnOf } from "./turn.js";
import { UsedInputs } from "./used-inputs.js";

export interface GuardToolsOptions extends Omit<ToolRunnerOptions, "tools" | "aliases"> {
  /** The host's facts about a call: who asks, in which session. Without it, nothing is known. */
  readonly describe?: ((options: ToolCallOptions) => RunOptions) | undefined;
  /** Turn a denial that can be lifted into the SDK's approval request. For approvers that answer later. */
  readonly requestApproval?: boolean | undefined;
}

const toolsTable = {
  ...guardingTable,
  describe: func<(options: ToolCallOptions) => RunOptions>(),
  requestApproval: boolean(),
} satisfies OptionTable<GuardToolsOptions>;

/**
 * Put guards in front of the tools of a ToolSet: same type in, same type out.
 *
 * A call that is stopped is the tool's error, which the model reads; the loop
 * goes on. A tool gets frozen arguments, and what it answers is passed on as
 * the guards judged it: a JSON copy, in which a Date is text.
 *
 * A tool without `execute` is decided on when its input is there. The SDK has
 * no answer to give for it, so a call that is stopped rejects the whole run.
 *
 * @throws ToolstileError as `ToolRunner` does, and `ERR_UNSUPPORTED` for a tool
 * that the provider runs: `guardModel` guards those.
 */
export function guardTools<Tools extends SdkTools>(
  tools: Tools,
  options: GuardToolsOptions,
): Tools {
  const { describe, requestApproval, ...read } = readOptions("guardTools()", options, toolsTable);
  checkTools(tools);
  const own = new Map(Object.entries<SdkTool>(tools));
  const declarations = [...own].map(([name, tool]) => declarationOf(name, tool));
  const described = (call: ToolCallOptions): RunOptions & { callId: string } => ({
    ...hostFacts(describe, call, turnOf(call.messages), call.messages, call.abortSignal),
    callId: call.toolCallId,
  });
  const requests = new SdkApprovalRequests({ ...read, tools: declarations }, described, own);
  if (requestApproval === true) requests.checkApprover();
  const guarding = { ...read, approver: requests.approver, tools: declarations };
  const calls = guardCalls(runs(own), guarding, described);
  // For what is decided here and run elsewhere. Each runner tells the guards of the tools anew.
  const isReleased = [...own.values()].some(({ execute }) => execute === undefined);
  const runner = isReleased ? new ToolRunner(guarding) : undefined;
  const usedInputs = new UsedInputs();
  const guarded = [...own].map(([name, tool]) => {
    const changes: Partial<Record<keyof SdkTool, unknown>> = {};
    if (runner !== undefined && tool.execute === undefined) {
      // What it may inherit later would run without guards.
      changes.execute = undefined;
      changes.onInputAvailable = guardedInput(name, tool, runner, described);
    } else {
      const execute = tool.execute as Execute;
      changes.execute = guardedExecute(name, execute, calls, requests, usedInputs);
      if (requestApproval === true) changes.needsApproval = requests.needsApproval(name, tool);
    }
    const toModelOutput = usedInputs.toModelOutput(tool);
    if (toModelOutput !== undefined) changes.toModelOutput = toModelOutput;
    return [name, Object.assign(Object.create(Object.getPrototypeOf(tool)), tool, changes)];
  });
  // In ai 6 a call of "constructor" would find what the set inherits.
  const set = Object.setPrototypeOf(Object.fromEntries(guarded), null) as Tools;
  return remember(set, requests);
}

/** The tools' own functions, as they were when they were guarded. */
function runs(tools: ReadonlyMap<string, SdkTool>) {
  const functions = new Map([...tools].map(([name, tool]) => [name, tool.execute as Execute]));
  return (name: string, args: object, call: ToolCallOptions): unknown => {
    const answer = functions.get(name)?.call(tools.get(name), args, call);
    return isAsyncIterable(answer) ? yieldedBy(answer) : answer;
  };
}

function isAsyncIterable(value: unknown): value is AsyncIterable<unknown> {
  return Object(value) === value && Symbol.asyncIterator in (value as object);
}

/** To the SDK the last item is the output; to core it would be the value returned, where there is one. */
async function* yieldedBy(items: AsyncIterable<unknown>): AsyncGenerator<unknown, void> {
  yield* { [Symbol.asyncIterator]: () => items[Symbol.asyncIterator]() };
}

function checkTools(tools: unknown): asserts tools is SdkTools {
  if (!isJsonObject(tools)) {
    throw new ToolstileError(
      "ERR_INVALID_OPTION",
      "guardTools(): the first argument must be a ToolSet, an object of tools by name.",
    );
  }
  for (const [name, tool] of Object.entries<SdkTool>(tools as SdkTools)) {
    if (typeof tool !== "object" || tool === null) {
      throw new ToolstileError("ERR_INVALID_TOOL", `The tool ${quoted(name)} is not an object.`);
    }
    if (tool.execute !== undefined && typeof tool.execute !== "function") {
      throw new ToolstileError(
        "ERR_INVALID_TOOL",
        `The execute of tool ${quoted(name)} is not a function.`,
      );
    }
    if (tool.type !== "provider" || tool.execute !== undefined) continue;
    if (tool.isProviderExecuted === false) continue;
    throw new ToolstileError(
      "ERR_UNSUPPORTED",
      `The provider runs the tool ${quoted(name)}, so it cannot be guarded here. Guard the model with guardModel(), and add the tool to the guarded tools afterwards.`,
    );
  }
}
