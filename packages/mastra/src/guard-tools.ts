import {
  type RunOptions,
  type ToolOutcome,
  type ToolRunnerOptions,
  toolResult,
} from "@toolstile/core";
import { guardCalls, guardingTable, type ToolDeclaration, thrownFor } from "@toolstile/core/host";
import { boolean, func, type OptionTable, readOptions } from "@toolstile/core/provider";
import { answerOf } from "./answer.js";
import { ApprovalSuspension, suspendSchemaFor } from "./approval-suspension.js";
import { factsOf, signalOf } from "./call-facts.js";
import { checkTools } from "./check-tools.js";
import type { Execute, MastraTool, ToolCallContext } from "./mastra.js";
import { errorIn, WithheldCalls } from "./withheld-calls.js";

export interface GuardToolsOptions extends Omit<ToolRunnerOptions, "tools" | "aliases"> {
  /**
   * The host's facts about a call: who asks, in which session. What it says of
   * `agentName`, `context` and `turnId` takes the place of what Mastra says of
   * each. Where it throws or answers later, the call is denied.
   */
  readonly describe?: ((context: ToolCallContext) => RunOptions) | undefined;
  /** Suspend the agent's run where a denial can be lifted. For approvers that answer later. */
  readonly requestApproval?: boolean | undefined;
}

/**
 * Put guards in front of tools, by the names that the model calls them: same type in, same type out.
 *
 * They hold wherever the tool is run from: an agent, a workflow, a network, an
 * MCP server, or your own code. A call that is stopped is the tool's error,
 * which the model reads. A tool gets frozen arguments, and what it answers is
 * passed on as the guards judged it: a JSON copy, in which a Date is text.
 *
 * @throws ToolstileError as `ToolRunner` does, `ERR_INVALID_TOOL` for what is
 * no tool of Mastra's, and `ERR_UNSUPPORTED` for one that something else runs.
 */
export function guardTools<const Tools extends Readonly<Record<string, MastraTool>>>(
  tools: Tools,
  options: GuardToolsOptions,
): Tools {
  const { describe, requestApproval, ...guarding } = readOptions("guardTools()", options, {
    ...guardingTable,
    describe: func<(context: ToolCallContext) => RunOptions>(),
    requestApproval: boolean(),
  } satisfies OptionTable<GuardToolsOptions>);
  checkTools(tools);
  const own = new Map(Object.entries<MastraTool>(tools));
  const described = (context: ToolCallContext | undefined) => factsOf(context, describe);
  const declarations = [...own].map(([name, tool]) => declarationOf(name, tool));
  const calls = guardCalls(runs(own), { ...guarding, tools: declarations }, described);
  const suspension = new ApprovalSuspension(requestApproval === true, guarding, calls, described);
  const withheld = new WithheldCalls();
  const guarded = [...own].map(([name, tool]) => {
    const execute: Execute = async (input, context) => {
      let outcome: ToolOutcome | undefined;
      try {
        outcome = withheld.of(context?.agent) ?? (await suspension.decide(name, input, context));
        if (outcome === undefined) return undefined;
        withheld.note(context?.agent, outcome);
        return answerOf(outcome);
      } catch (error) {
        const cause = outcome === undefined ? error : await errorIn(context, outcome, error);
        throw thrownFor(cause, signalOf(context));
      }
    };
    const { suspendSchema } = tool as { readonly suspendSchema?: unknown };
    const more = requestApproval && { suspendSchema: suspendSchemaFor(suspendSchema) };
    return [name, withMembers(tool, { execute, ...more })];
  });
  // A name that the set only inherits must name no tool.
  return Object.setPrototypeOf(Object.fromEntries(guarded), null) as Tools;
}

/**
 * Put guards in front of one tool, under its id.
 *
 * @throws ToolstileError as `guardTools` does.
 */
export function guardTool<Tool extends MastraTool>(tool: Tool, options: GuardToolsOptions): Tool {
  const { id } = Object(tool) as { id?: unknown };
  return guardTools({ [String(id)]: tool }, options)[String(id)] as Tool;
}

/** Its schema can validate: core holds arguments to it again after every rewrite. */
function declarationOf(name: string, { description, inputSchema }: MastraTool): ToolDeclaration {
  return { name, description, parameters: inputSchema as object | undefined };
}

/** The tools' own functions, as they were when they were guarded. */
function runs(tools: ReadonlyMap<string, MastraTool>) {
  const functions = new Map([...tools].map(([name, tool]) => [name, tool.execute as Execute]));
  return async (name: string, args: object, context: ToolCallContext | undefined) => {
    const answer = await functions.get(name)?.call(tools.get(name), args, context);
    return isValidationError(answer)
      ? toolResult({ content: answer.message, structured: answer, isError: true })
      : answer;
  };
}

/** True of Mastra's own answer where arguments or an output do not fit a schema. */
function isValidationError(answer: unknown): answer is { message: string } & Record<string, never> {
  const { error, message, validationErrors } = Object(answer) as Record<string, unknown>;
  return error === true && validationErrors !== undefined && typeof message === "string";
}

/** By descriptors: what marks a tool as Mastra's is hidden under a symbol. */
function withMembers<Tool extends MastraTool>(tool: Tool, members: object): Tool {
  const descriptors: PropertyDescriptorMap = Object.getOwnPropertyDescriptors(tool);
  for (const [key, value] of Object.entries(members)) {
    descriptors[key] = { value, enumerable: true, configurable: true, writable: true };
  }
  return Object.create(Object.getPrototypeOf(tool), descriptors) as Tool;
}
