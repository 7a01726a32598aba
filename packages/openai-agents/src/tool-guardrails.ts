import {
  type Agent,
  defineToolInputGuardrail,
  defineToolOutputGuardrail,
  type RunContext,
  type ToolGuardrailFunctionOutput,
  ToolGuardrailFunctionOutputFactory,
  type ToolInputGuardrailDefinition,
  type ToolOutputGuardrailDefinition,
} from "@openai/agents";
import {
  allowAll,
  type ContentPart,
  type Guardrail,
  type GuardrailProvider,
  type ResultGuardrail,
  type RunOptions,
  type ToolOutcome,
  ToolRunner,
  type ToolRunnerOptions,
  ToolstileError,
} from "@toolstile/core";
import {
  describeCall,
  guardingTable,
  isRewritten,
  type ToolDeclaration,
} from "@toolstile/core/host";
import {
  func,
  isObject,
  type OptionTable,
  optionError,
  readOptions,
} from "@toolstile/core/provider";
import { answerFor } from "./answer.js";
import { type HostFacts, runName } from "./call-facts.js";
import { fix, isFixed } from "./fixed.js";

/** The options of one guardrail: all that a ToolRunner takes but tools and guards. */
export interface ToolGuardrailOptions<Context = unknown>
  extends Omit<ToolRunnerOptions, "tools" | "aliases" | "guardrails" | "unchecked"> {
  /** The host's facts about a call. The agent's name is known without it. A throw denies the call. */
  readonly describe?: ((runContext: RunContext<Context>) => HostFacts) | undefined;
}

const { guardrails: _, unchecked: __, ...guardingAlone } = guardingTable;

/** One call, as the framework tells a guardrail of it. */
interface Seen<Context> {
  readonly context: RunContext<Context>;
  readonly agent: Pick<Agent, "name" | "tools" | "mcpServers">;
  readonly toolCall: {
    readonly name: string;
    readonly arguments: string;
    readonly callId: string;
  };
}

/**
 * One provider as a tool input guardrail: it judges the call, before the tool runs.
 *
 * This seam can let a call through or reject it. It cannot rewrite arguments,
 * so a call that the provider would change is rejected: use guardTool() where
 * changes are meant. What becomes of the call afterwards is not told here.
 */
export function toToolInputGuardrail<Context = unknown>(
  provider: GuardrailProvider,
  options: ToolGuardrailOptions<Context> = {},
): ToolInputGuardrailDefinition<Context> {
  const { runner, describe } = runnerFor("toToolInputGuardrail()", [provider], options);
  return defineToolInputGuardrail<Context>({
    name: provider.name,
    run: async (seen) => {
      const opened = await runner.open(requestOf(seen), optionsOf(seen, describe));
      if (opened.outcome !== undefined) return rejected(opened.outcome);
      if (opened.modifiedBy.length === 0) {
        const outcome = await opened.close({ released: true });
        // What an observer has to record, and could not, does not run.
        return outcome.status === "released"
          ? ToolGuardrailFunctionOutputFactory.allow()
          : rejected(outcome);
      }
      const outcome = await opened.close({ unused: true });
      return rejected(outcome, "Tool call denied: its arguments may not stay as they are");
    },
  });
}

/**
 * One provider as a tool output guardrail: it judges the result, after the tool ran.
 *
 * Only `evaluateResult` is asked. What is allowed stays as it is, an object or an
 * image too: plain data is frozen in place, as the framework reads it again after
 * the judge did. What the model reads in place of a result that is rewritten or
 * withheld is text here: of one text part its text, of other content parts JSON.
 * So is an allowed result that cannot be frozen, as bytes or a class's instance;
 * before other guardrails it is withheld, as the framework asks none after a
 * replacement.
 *
 * @throws ToolstileError `ERR_INVALID_OPTION` for a provider that judges no results.
 */
export function toToolOutputGuardrail<Context = unknown>(
  provider: GuardrailProvider | ResultGuardrail,
  options: ToolGuardrailOptions<Context> = {},
): ToolOutputGuardrailDefinition<Context> {
  const judges = [allowAll(), judgeOf(provider)];
  const { runner, describe } = runnerFor("toToolOutputGuardrail()", judges, options);
  const definition: ToolOutputGuardrailDefinition<Context> = defineToolOutputGuardrail<Context>({
    name: provider.name,
    run: async (seen) => {
      const hasSchema = hasOutputSchema(seen);
      // What is judged is what the framework reads after this, and any other guardrail.
      fix(seen.output);
      const opened = await runner.open(requestOf(seen), optionsOf(seen, describe));
      if (opened.outcome !== undefined) return rejected(opened.outcome);
      const outcome = await opened.close({ value: answerFor(seen.output, hasSchema) });
      if (outcome.status !== "executed" || isRewritten(outcome)) return rejected(outcome);
      if (isFixed(seen.output)) return ToolGuardrailFunctionOutputFactory.allow();
      return isLast(definition, seen) ? rejected(outcome) : rejected(outcome, changeable);
    },
  });
  return definition;
}

const changeable =
  "Tool result withheld: it may yet change, and another guardrail comes after this one";

/** The call that a result is of, whatever context it was made in. */
type Judged = Pick<Seen<unknown>, "agent" | "toolCall">;

function hasOutputSchema({ agent, toolCall }: Judged): boolean {
  return agent.tools.some(
    (tool) =>
      tool.type === "function" && tool.name === toolCall.name && tool.outputSchema !== undefined,
  );
}

/** True if the framework asks no other guardrail after this one, wherever the tool is from. */
function isLast({ run }: { readonly run: unknown }, { agent, toolCall }: Judged): boolean {
  const lists = [
    ...agent.tools.map((tool) =>
      tool.type === "function" && tool.name === toolCall.name ? tool.outputGuardrails : [],
    ),
    ...(agent.mcpServers ?? []).map(({ toolOutputGuardrails }) => toolOutputGuardrails),
  ].filter((list) => list?.some((each) => each.run === run));
  return lists.length > 0 && lists.every((list) => list?.at(-1)?.run === run);
}

/** Its word on results alone: on the call it was asked elsewhere, and what it took there is settled there. */
function judgeOf(provider: GuardrailProvider | ResultGuardrail): ResultGuardrail {
  if (!isObject(provider))
    throw optionError("toToolOutputGuardrail()", "provider", "a guard", provider);
  if (typeof provider.evaluateResult !== "function") {
    throw new ToolstileError(
      "ERR_INVALID_OPTION",
      `toToolOutputGuardrail() takes a guardrail with evaluateResult(): '${provider.name}' has none, and would never be asked.`,
    );
  }
  if (!("evaluate" in provider)) return provider;
  const { evaluateResult, name, timeoutMs } = provider;
  return { name, timeoutMs, evaluateResult };
}

function runnerFor<Context>(
  where: string,
  guardrails: readonly Guardrail[],
  options: ToolGuardrailOptions<Context>,
) {
  const { describe, ...rest } = readOptions(where, options, {
    ...guardingAlone,
    describe: func<NonNullable<ToolGuardrailOptions<Context>["describe"]>>(),
  } satisfies OptionTable<ToolGuardrailOptions<Context>>);
  // Whether anybody holds arguments to schemas is the tool's whole list's business, not this one's.
  return { runner: new ToolRunner({ ...rest, guardrails, unchecked: true }), describe };
}

function requestOf<Context>({ toolCall }: Seen<Context>) {
  return { name: toolCall.name, arguments: toolCall.arguments, callId: toolCall.callId };
}

function optionsOf<Context>(
  { agent, context, toolCall }: Seen<Context>,
  describe: ((runContext: RunContext<Context>) => HostFacts) | undefined,
): RunOptions {
  return {
    agentName: agent.name,
    turnId: runName(context),
    ...describeCall(describe && (() => describe(context))),
    tools: [declarationOf(agent, toolCall.name)],
  };
}

/** The agent's declaration of the tool. A tool of an MCP server is known by its name alone. */
function declarationOf({ tools }: Seen<unknown>["agent"], name: string): ToolDeclaration {
  for (const tool of tools) {
    if (tool.type !== "function" || tool.name !== name) continue;
    return { name, description: tool.description, parameters: tool.parameters };
  }
  return { name };
}

/** One part of text is that text. */
function onlyText(parts: readonly ContentPart[]): string | undefined {
  const [part] = parts;
  return parts.length === 1 && part?.type === "text" && typeof part.text === "string"
    ? part.text
    : undefined;
}

function rejected(outcome: ToolOutcome, text?: string): ToolGuardrailFunctionOutput {
  const { content } = outcome.result;
  const said =
    typeof content === "string" ? content : (onlyText(content) ?? JSON.stringify(content));
  const { runId, status } = outcome;
  const stopped = outcome.status === "denied" || outcome.status === "withheld";
  const by = stopped ? { decidedBy: outcome.decidedBy, code: outcome.code } : {};
  return ToolGuardrailFunctionOutputFactory.rejectContent(text ?? said, { runId, status, ...by });
}
